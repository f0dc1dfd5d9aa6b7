# Methods that something looks at, copies or redefines before they are called for the first time.

class Shape
  def initialize(sides) = @sides = sides
  def area(width, height = width, *more, scale: 1, **rest, &block) = [width, height, more, scale, rest, block&.call]
  def perimeter(length) = @sides * length + 0 * length
  alias girth perimeter
  private def hidden(number) = [number, number + 1, @sides]
  ruby2_keywords def pass_on(*arguments) = area(*arguments)
  def respond_to?(name) = name == :virtual || super(name, true) && !name.end_with?("!")
  def to_str = ["shape", @sides.to_s].join(" of ")
end

area = Shape.instance_method(:area)
p area.arity, area.parameters.map(&:first), area.source_location.last, area.owner
p Shape.instance_method(:girth) == Shape.instance_method(:perimeter), Shape.instance_method(:girth).name

GC.start
GC.compact if GC.respond_to?(:compact)

shape = Shape.new(4)
p shape.area(2, scale: 3) { :block }, shape.girth(5), shape.send(:hidden, 1), shape.pass_on(1, scale: 2)
p shape.respond_to?(:virtual), "a " + shape

# super, and a copy of a module's method, reach methods that were not called.
module Greeting
  module_function def greet(name, mark = "!") = ["hello", name, mark].join(" ")
  def leave(name) = ["bye", name, self.class].inspect
end
class Polite < Shape
  include Greeting
  def leave(name) = super.sub("bye", "good bye")
  def perimeter(length) = super + 1
end
p Polite.new(3).leave("x"), Polite.new(3).perimeter(2), Greeting.greet("y"), Polite.new(3).method(:leave).super_method.arity

# A method object and a refinement take methods that were not called.
class Shape
  def late(one, two) = [one, two, one + two]
  define_method(:later, instance_method(:late))
end
module Doubled
  def double(n = 1) = [self, self * 2 * n].last
end
module Numbers
  refine(Integer) { import_methods Doubled }
end
using Numbers
p shape.later(1, 2), 21.double, Shape.instance_method(:later).bind_call(shape, 3, 4)

# A method that was not called is redefined, removed, and traced.
class Shape
  def gone(value) = [value, :first, value]
  def gone(value) = [value, :second, value]
  def traced(value) = [value, value, value].sum
end
p shape.gone(1)
lines = []
TracePoint.new(:call) { |point| lines << point.method_id }.enable(target: Shape.instance_method(:traced)) { shape.traced(2) }
p lines
Shape.remove_method(:gone)
p (shape.gone(1) rescue $!.class)

# Hot: the first calls are made by compiled code, too.
class Many
  20.times { |i| class_eval("def m#{i}(value) = [value, #{i}, value * 2].sum") }
end
many = Many.new
p (0...20).sum { |i| many.send("m#{i}", i) }
p 300.times.sum { |i| many.m3(i) + many.m4(i) }
