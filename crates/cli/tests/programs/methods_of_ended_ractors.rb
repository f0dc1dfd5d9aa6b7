# Methods that a Ractor defined by unshareable blocks.
Warning[:experimental] = false
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
r = Ractor.new { Object.define_method(:rm) { 5 }; Object.class_eval { define_method(:rm2) { 6 } }; 1 }
t { r.value }
t { rm }
t { rm2 }
r = Ractor.new { c = Class.new { define_method(:a) { 1 } }; Ractor.make_shareable(c); c }
t { c = r.value; c.new.a }
r = Ractor.new { Object.define_method(:rm) { 5 }; rm }
t { r.value }
t { rm }
class P; end
r = Ractor.new { P.define_method(:q, &Ractor.make_shareable(proc { 1 })) }
r.value rescue p $!
t { P.new.q }
