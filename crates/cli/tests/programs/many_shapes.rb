# Instance variables at sites that see many shapes, in cold and hot code.
class Base
  def initialize(x) = (@a = x; @b = x + 1; @c = nil)
  def over(n) = (20.times { |i| instance_variable_set("@v#{i}", i) }; @v3 = n; @zz = n; @v3 + @zz)
  def all = [@a, @b, @c, @v3, @zz]
end
K = (1..8).map { Class.new(Base) }
def make(n) = K.map { |k| o = k.new(n); o.over(n); o }
60.times { |i| make(i) }
p make(3).map(&:all)
o = K[0].new(1).freeze
class Base; def set = @a = 5; end
begin; o.set; rescue => e; puts e.class; end
f = K[1].new(2).freeze
begin; f.over(1); rescue => e; puts e.class; end
def set_on(k) = k.class_eval { @a = 1; @b = @a.to_s; [@a, @b] }
60.times { set_on(K[2]); set_on(Class.new) }
p set_on(K[3]), K[3].instance_variables, K[4].instance_variables
class S < String; def initialize(s) = (super; @x = 1; @y = 2); def xy = [@x, @y]; end
60.times { S.new("a").xy }
p S.new("b").xy
