# Calls that splat an Array, in code that runs often: of native methods, constructors, attributes, methods with optional
# parameters and `super`; with Arrays of other lengths and with a Hash at the end afterwards.
class Point
  attr_accessor :x, :y
  def initialize(x = 1, y = 2) = (@x, @y = x, y)
  def at(x, y = 5, *rest) = [x, y, rest]
  def with(a, k: 0) = [a, k]
  def blocky(a, b = 3) = [a, b, block_given? ? yield(a) : nil]
end

class Child < Point
  def initialize(*args, &block) = super(*args, &block)
  def at(*args) = super(*args)
end

def native(string, *args) = string.index(*args)
def found(string, *args, &block) = string.each_line(*args, &block)
def made(*args) = Child.new(*args)
def optional(point, *args) = point.blocky(*args)
def passed(point, *args, &block) = point.blocky(*args, &block)
def keyed(point, *args) = point.with(*args)
def written(point, *args) = point.send(:x=, *args)
def sent(point, name, *args) = point.public_send(name, *args)
def called(callable, *args) = callable.call(*args)
def read(point, *args) = point.x(*args)
ruby2_keywords def flagged(point, *args) = point.with(*args)

ADD = ->(a, b = 10) { a + b }

def each_in_turn(point, i)
  lines = []
  found("a\nb", "\n") { |line| lines << line }
  child = made(i, 4)
  [
    native("hello", "l"), lines, [child.x, child.y], optional(point, i), passed(point, i) { |a| a + 1 }, keyed(point, i),
    written(point, i), sent(point, :at, i, 2), sent(child, :at, i), called(ADD, i), read(point), flagged(point, 1, k: i)
  ]
end

point = Point.new
result = nil
400.times { |i| result = each_in_turn(point, i) }
p result

# Other lengths, and a Hash at the end.
p native("hello", "l", 3)
p made.x, made(7).y
p optional(point, 1, 2), passed(point, 8), keyed(point, { k: 1 }), flagged(point, 2)
p sent(point, :at, 1, 2, 3, 4)
[-> { read(point, 1) }, -> { native("hello") }, -> { made(1, 2, 3) }, -> { optional(point) }, -> { called(ADD) }].each do |call|
  call.()
rescue ArgumentError => e
  puts e.message, e.backtrace_locations.first.lineno
end
p each_in_turn(point, 1)

# Arrays that change while arguments are evaluated, and that the callee changes.
def grown(point, list) = point.at(*list, list.push(1).size)
def emptied(list) = [list.push(*list), list]
300.times { |i| result = [grown(point, [i]), emptied([i, 2])] }
p result
