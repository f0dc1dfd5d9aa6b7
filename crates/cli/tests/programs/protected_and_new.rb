# Protected methods called on self, and new called on classes that are not constants, in cold and hot code.
class A; def initialize(x) = @x = x; attr_reader :x; protected :x; def sum(o) = x + o.x; def self.make(n) = new(n); end
class B < A; end
class C < A; def self.x = 1; end
def t(k, n) = k.new(n)
def go = [A, B, C].map { |k| t(k, 1).sum(k.make(2)) }
200.times { go }
p go
def C.new(*) = 5
p [A, B].map { |k| t(k, 1).class }, t(C, 1)
begin; A.new(1).x; rescue NoMethodError => e; puts e.message; end
a = A.new(1); def a.y = x
50.times { a.y }; p a.y
D = Class.new(A)
50.times { t(D, 1) }
p t(D, 4).y rescue puts $!.message
class D; def initialize(x) = super(x + 1); def y = x; end
p t(D, 4).y
