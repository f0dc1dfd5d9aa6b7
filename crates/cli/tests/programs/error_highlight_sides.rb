# An ArgumentError about what a method accepts shows the call and the definition.
def shown
  yield
rescue ArgumentError, NameError => e
  puts e.detailed_message(highlight: false).gsub(__FILE__, "program.rb"), "--"
end

def keywords(a:, b: 1) = 1
  def one(x)
  end
class Pair
  def initialize(a, b) = nil
  def self.run(x) = 1
  def +(a, b) = 1
  def []=(a); end
end
class Single < Pair
  def initialize = super(1)
end
Point = Data.define(:x)
lines = lambda do |x|
end
define_singleton_method(:sum) do |x, y|
end

shown { [].first(1, 2, 3) }
shown { Integer() }
shown { keywords }
shown { keywords(a: 1, c: 2) }
shown { ->{}.call(1) }
shown { ->{}[1] }
shown { lines.call }
shown { sum }
shown { self.sum }
shown { one }
shown { send(:one) }
shown { [1].each(&->(a, b) {}) }
shown { eval("def within(a) = 1; within", nil, "(eval)") }
shown { Pair.new }
shown { Pair.run }
shown { Pair.allocate + 1 }
shown { Pair.allocate[1] = 2 }
shown { Single.new }
shown { Point.new }
shown { Point.new(y: 1, x: 2) }
shown { 1.step(b: 2) }
shown { method(:one).call }
shown {
  Object::
    Nowhere
}
none = nil
shown { none += 1 }
other = Object.new
def other.[](x) = nil
def other.item = nil
shown { other [0] += 42 }
shown { other.item += 42 }
shown { Object::Nowhere += 1 }
shown { Object::RUBY_VERSION.nowhere += 1 }
