# Code that was written before `using` does not see the refinements, except for blocks of the same scope.
def before(x) = x.foo
module R; refine(Integer) { def foo = 1; def +(o) = 42; def to_s = "refined" } end
def m1 = 1.foo
def m2 = 1 + 1
def m3 = "#{1}"
def m4 = [1].map(&:foo)
def m5 = 1.send(:foo)
b1 = proc { 1.foo }
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
l = ->(x) { x.foo }
using R
t { m1 }
t { m2 }
t { m3 }
t { m4 }
t { m5 }
t { b1.call }
t { l.(1) }
t { 1.foo }
t { 1 + 1 }
t { "#{1}" }
t { before(1) }
def n1 = 1.foo
t { n1 }
class Foo; def x = 1.foo; end
t { Foo.new.x }
module M
  def self.early = 1.bar rescue 0
  block = proc { 1.bar }
  module B; refine(Integer) { def bar = 2 }; end
  using B
  def self.late = 1.bar
  p((early rescue 0), block.call, late)
  private
  using B
  def hidden = 2
  p private_instance_methods(false)
end
p eval("1.foo"), binding.eval("1.foo"), TOPLEVEL_BINDING.eval("1.foo"), Module.used_modules
