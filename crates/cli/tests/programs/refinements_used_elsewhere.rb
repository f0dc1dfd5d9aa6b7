# Where refinements are used in a program, code in which none are active is compiled as ever.
module M
  refine Integer do
    def foo = :refined
    def respond_to?(n, a = false) = :yes
  end
end
class Integer
  def foo = :plain
end
class A; def x(n) = [:a, n]; end
class B < A
  def x(n) = super(n)
  def y(o) = [o.foo, o.send(:foo), o.respond_to?(:foo)]
end
b = B.new
5000.times { b.x(1); b.y(1) }
p b.x(1), b.y(1)
i = 0
while i < 4000
  using M if i == 2000
  v = i.foo
  w = [i.send(:foo)]
  p [i, v, w] if i == 1999 || i == 2000 || i == 3999
  i += 1
end
class B
  def z(o) = [o.foo, o.send(:foo)]
end
5000.times { b.z(1) }
p b.z(1), b.y(1), b.x(2)
