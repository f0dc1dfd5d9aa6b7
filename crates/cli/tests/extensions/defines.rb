require "thin"

class Above
  def to_s = "object"
  def greet(*list, **options) = [:above, list, options, block_given?]
  def wave(*list) = [:waved, list]
end

class Below < Above
  p Thin.defines(self, :greet)
  define_method(:wave, &Thin.defining_block)
  define_method(:absent, &Thin.defining_block)
end

class Lowest < Below
  def greet(*) = super
end

def show((receiver, *rest)) = puts("#{receiver} #{rest.inspect}")
def error = yield rescue puts("#{$!.class}: #{$!.message[/.*method '\w+'|.*/]}")

3.times do
  show Below.new.greet(1, 2)
  show Below.new.greet(a: 3) { 4 }
  show Lowest.new.greet(5)
  show Below.new.wave
end
error { Below.new.absent }
p Below.instance_method(:greet).arity, Below.instance_method(:wave).owner
p [Rational, Complex, Object, Array, Class.new(String), Integer, NilClass, Proc, Method, Class.new(StandardError)].map { Thin.allocated_by_c?(it) }
p Thin.allocated_by_c(Rational), Thin.allocated_by_c(Complex), Thin.allocated_by_c(Class.new(Array))
