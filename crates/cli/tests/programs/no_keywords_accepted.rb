# Hashes flagged by ruby2_keywords, and parameters that accept no keywords.
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
ruby2_keywords def r(*a) = a
def n(**nil) = :n
def nn(*a, **nil) = a
def k(*a, **k) = [a, k]
a = r(1, a: 2)
t { n(*r(a: 1)) }
t { nn(*a) }
t { nn(*r(a: 1)) }
t { n(*r(**{})) }
t { proc { |*a, **nil| a }.call(*a) }
t { lambda { |*a, **nil| a }.call(*a) }
t { nn(*a, 5) }
t { nn(a: 1) }
t { nn(**{}) }
t { nn("x" => 1) }
define_method(:dm) { |*a, **nil| a } rescue self.class.send(:define_method, :dm) { |*a, **nil| a }
t { dm(*a) }
t { dm(a: 1) }
o = Object.new
def o.call(**nil) = 1
t { o.call(*r(a: 1)) }
class ZZ; def initialize(*a, **nil); @a = a; end; end
t { ZZ.new(*r(1, a: 1)) }
def h1(x, **nil) = x
t { h1(*r(a: 1)) }
t { h1({a: 1}) }
t { h1(a: 1) }
t { proc { |x, **nil| x }.call(a: 1) }
def a0(**nil) = :n
def a1(x, **nil) = x
def a2(x = 1, **nil) = x
def a3(x, *y, **nil) = [x, y]
def a4(x, y = 1, **nil) = [x, y]
def a5(*, x, **nil) = [x]
def a6(x, **nil, &b) = x
def a7(*, **nil) = 1
t { a0(*r(a: 1)) }
t { a1(*r(a: 1)) }
t { a1(*r(1, a: 1)) }
t { a2(*r(a: 1)) }
t { a3(*r(a: 1)) }
t { a4(*r(a: 1)) }
t { a5(*r(a: 1)) }
t { a6(*r(a: 1)) }
t { a7(*r(a: 1)) }
t { send(:a1, *r(a: 1)) }
t { send(:a3, *r(a: 1)) }
t { a1(*[], *r(a: 1)) }
t { a1(*r(a: 1), &nil) }
t { x = r(a: 1); a1(*x) }
t { a3(1, *r(a: 1)) }
t { proc { |x, **nil| x }.call(*r(a: 1)) }
t { lambda { |x, **nil| x }.call(*r(a: 1)) }
