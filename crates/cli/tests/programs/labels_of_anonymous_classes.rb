def show; yield; rescue => e; puts e.backtrace.map { |l| l.sub(/^.*?:/, "") }, "--"; end
c = Class.new { def foo = raise("x"); def self.bar = raise("y") }
show { c.new.foo }
show { c.bar }
class c::Inner; def foo = raise("x"); def self.bar = raise("y"); end
show { c::Inner.new.foo }
show { c::Inner.bar }
c.set_temporary_name("fake<1>")
show { c.new.foo }
show { c.bar }
show { c::Inner.bar }
Named = c
show { c.new.foo }
show { c.bar }
show { c::Inner.bar }
o = Object.new
def o.foo = raise("x")
show { o.foo }
module RM; refine String do def rr = raise("x"); end; end
using RM
show { "".rr }
m = Module.new { def mm = raise("x"); module_function :mm }
show { m.mm }
s = Struct.new(:a) { def foo = raise("q") }
show { s.new(1).foo }
