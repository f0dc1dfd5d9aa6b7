# The owner of a method is the class that changed its visibility. Recorded from CRuby 4.1dev.
class A; private def y; end; def w; end; end; class C<A; public :y; private :w; end
class D < C; end
p C.new.method(:y).owner, C.instance_method(:y).owner, D.new.method(:y).owner, D.new.method(:w).owner
module M; def z; end; end
class E; include M; private :z; end
p E.new.method(:z).owner
class F < A; prepend Module.new { def y = super }; public :y; end
p F.instance_method(:y).owner.class
