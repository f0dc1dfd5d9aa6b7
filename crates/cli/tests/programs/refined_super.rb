class A; def m(x=1) = "A#{x}"; def n = "An"; def self.c = "Ac"; end
class B < A; def m(x=1) = "B#{x}>" + super; end
class C < B; end
module R1; refine A do def m(x=1) = "rA#{x}>" + super; def n = "rAn>" + super; end; end
module R2; refine B do def m(x=1) = "rB#{x}>" + super; def n = "rBn>"+super; end; end
module R3; refine C do def m(x=1) = "rC#{x}>" + super; def n = "rCn>"+super(); end; end
module R4; refine A.singleton_class do def c = "rAc>"+super; end; end
using R1; using R2; using R3; using R4
p A.new.m, B.new.m, C.new.m, C.new.m(5), C.new.n, B.new.n, A.c, B.c, C.c
class D < B; def m(x=1) = "D>"+super; def n = "D>"+super; end
p D.new.m, D.new.n
module Mx; def m(x=1) = "Mx>"+super; end
module R5; refine D do import_methods Mx rescue p $!; def n = [1].map { super() }.first; end; end
using R5
p D.new.m, D.new.n
class E < Array; end
module R6; refine E do def each = (super { |x| yield x + 1 }); def to_s = "E"+super; def inspect = "I"+super; end; end
using R6
E[1,2].each { |x| p x }
p E[1].to_s
puts E[1].inspect, "#{E[1]}"
module R7; refine Integer do def +(o) = super(o).to_s; def to_s = "i"+super; end; end
using R7
p 1+2, 5.to_s, "#{5}"
module R8; refine Comparable do def clamp(*a) = "cl"+super.to_s; end; end
using R8
p 5.clamp(1,3)
module R9
  refine A do
    def q = super rescue $!.message
    def method_missing(n, *a) = "mm #{n}"
    def respond_to_missing?(*) = true
  end
end
using R9
p A.new.q
p (A.new.zork rescue $!.class)
p A.new.respond_to?(:zork)
module Rx; refine B do def m(x=1) = method(:m).super_method.call(7); end; end
using Rx
p B.new.m
p B.new.method(:m).owner, B.new.method(:m).super_method.owner
class E2 < A
  def defines(x = 1) = defined?(super)
  def n = defined?(super)
end
module R10; refine A do def defines(x = 1) = 1; end; end
p E2.new.defines
using R10
class E2
  def later = 1
  def defines(x = 1) = defined?(super)
end
p E2.new.defines
200.times { D.new.m }
p D.new.m
module R11; refine A do def m(x = 1) = "r11A#{x}>" + super; end; end
module R12; refine A do def m(x = 1) = "r12A#{x}>" + super; end; end
using R11
using R12
class F < A; def m(x = 1) = "F>" + super; end
p A.new.m, F.new.m
