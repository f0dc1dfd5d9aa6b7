# Methods as objects: equality, and methods whose visibility a subclass changes.
o = Object.new
def o.foo = 1
m = o.method(:foo)
p o.method(:foo) == m, m.eql?(o.method(:foo))
m.instance_variable_set(:@a, 1)
p o.method(:foo) == m
def m.own = 1
p o.method(:foo) == m, m == o.method(:foo), m.eql?(m.dup), m == m

grand = Class.new { private def foo = 1 }
parent = Class.new(grand) { public :foo }
child = Class.new(parent) { def foo = super }
above = child.instance_method(:foo).super_method
p above.owner == parent, above.super_method, above.bind_call(child.new)
grand.class_eval { undef foo }
p child.instance_method(:foo).super_method

mod = Module.new { private def foo = [:ok] }
first = Module.new { def foo = [:first] + super }
obj = Object.new.extend(mod)
obj.singleton_class.class_eval { public :foo }
obj.singleton_class.prepend(first)
m = obj.method(:foo)
p m.owner == first, m.super_method.owner == obj.singleton_class, m.super_method.super_method, obj.foo

class Shown
  def self.inspect = "shown"
  private def foo(arg = nil) = 1
end
class Below < Shown
  def self.inspect = "below"
  public :foo
end
unbound = Below.instance_method(:foo)
puts unbound.inspect.sub(__FILE__, "program.rb"), Below.new.method(:foo).inspect.sub(__FILE__, "program.rb")
Shown.remove_method(:foo)
puts unbound.inspect.sub(__FILE__, "program.rb")
p unbound.bind_call(Below.new), unbound.owner

begin
  File.join("a".encode("UTF-16LE"), "b".encode("UTF-16LE"))
rescue => e
  p e
end
p Fiber.new(pool: nil) { 2 }.resume
