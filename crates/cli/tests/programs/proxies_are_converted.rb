# An object whose class has a method_missing, but neither respond_to? nor respond_to_missing?, converts like what it
# forwards to. A NoMethodError says that there is no conversion. Recorded from CRuby 4.1dev.

class Proxy < BasicObject
  def initialize(target) = @target = target
  def method_missing(name, ...) = @target.__send__(name, ...)
end

# The same for an Object, for methods that it does not have.
class Other
  def initialize(target) = @target = target
  def method_missing(name, ...) = @target.__send__(name, ...)
end

class Nothing < BasicObject
  def method_missing(name, *) = ::Kernel.raise(::NoMethodError.new("none", name))
end

class Failing < BasicObject
  def method_missing(name, *) = ::Kernel.raise(::NoMethodError.new("another", :other))
end

CASES = {
  addition: ->(c) { 1 + c.new(2) },
  power: ->(c) { 10 ** c.new(2) },
  bits: ->(c) { 10 & c.new(2) },
  float: ->(c) { 1.5 * c.new(2) },
  rational: ->(c) { 1r + c.new(2) },
  sum: ->(c) { [1, c.new(2)].sum },
  less: ->(c) { 1 < c.new(2) },
  order: ->(c) { 1 <=> c.new(2) },
  range: ->(c) { (1..c.new(3)).to_a },
  step: ->(c) { 1.step(c.new(5), 2).to_a },
  splat: ->(c) { [*c.new(1..3)].size },
  integer: ->(c) { Integer(c.new(2.7)) },
  to_float: ->(c) { Float(c.new(2)) },
  to_rational: ->(c) { Rational(c.new(2)) },
  elements: ->(c) { [1, 2, 3][c.new(0..1)] },
  element: ->(c) { [1, 2, 3][c.new(1)] },
  raised: ->(c) { raise c.new(IOError.new("closed")) },
  format: ->(c) { format("%d %f", c.new(1), c.new(2)) },
  slept: ->(c) { sleep(c.new(0)) },
  random: ->(c) { rand(c.new(1..1)) },
  array: ->(c) { Array(c.new([1])) },
}

def result(body, klass)
  body.(klass).inspect
rescue Exception => e
  "#{e.class}: #{e.message}"
end

2.times { CASES.each_value { |body| result(body, Proxy) } }
[Proxy, Other].each do |klass|
  CASES.each { |name, body| puts "#{klass} #{name}: #{result(body, klass)}" }
end
[Nothing, Failing].each do |klass|
  puts result(-> (c) { 1 + c.new }, klass), result(-> (c) { [*c.new].size }, klass)
end
