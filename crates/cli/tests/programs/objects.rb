module Greeting
  def greet = "#{self.class.name.downcase} says #{sound}"
end
class Animal
  include Greeting
  include Comparable
  attr_accessor :size
  def initialize(size) = @size = size
  def <=>(other) = size <=> other.size
  def method_missing(name, *args) = name.end_with?("?") ? args.size : super
  def respond_to_missing?(name, private = false) = name.end_with?("?") || super
end
class Dog < Animal
  def sound = "wuff"
  def greet = super + "!"
end
module Loud
  def sound = super.upcase
end
Dog.prepend Loud
d = Dog.new(3)
p d.greet, Dog.ancestors.take(4), d > Dog.new(2), [Dog.new(5), d].min.size
p d.big?(1, 2), d.respond_to?(:any?)
begin
  d.nothing
rescue NoMethodError => e
  puts e.message
end
class << d
  def trick = :rolls
end
p d.trick, d.singleton_methods
p Dog.instance_method(:greet).owner, d.method(:size).call
40.times { |i| d.instance_variable_set("@v#{i}", i) }
p d.instance_variables.size, d.instance_variable_get(:@v39)
S = Struct.new(:a, :b)
p S.new(1, 2).to_a, S.new(1) == S.new(1, nil)
class Integer
  alias plus +
  def +(other) = other == 41 ? :redefined : plus(other)
end
p 1 + 41, 1 + 1
class Integer
  alias + plus
end
p 1 + 41
