class A
  def w = @a = 1
  alias initialize w
end
p A.new.instance_variable_get(:@a)
class B
  def initialize(x) = @x = x
  alias_method :old, :initialize
  def w(*a) = old(*a)
  alias initialize w
end
3.times { p B.new(3).instance_variable_get(:@x) }
class C; attr_reader :z; alias initialize z; end
p C.new.class
class D; attr_writer :z; alias initialize z=; end
p D.new(5).instance_variable_get(:@z)
class E; define_method(:q) { |x| @x = x }; alias initialize q; end
p E.new(5).instance_variable_get(:@x)
class F; alias initialize method_missing; end
p((F.new(:foo) rescue $!.class))
class G; alias initialize object_id; end
p G.new.class
