# Scopes: refinements in every kind of method lookup, super and owners of aliases, traced variables, return in class
# bodies, TOPLEVEL_BINDING, thread-local variables, encodings of evaluated source. Output from CRuby
# 3.4.11.
module R; refine Integer do; def foo = "foo"; def to_s = "refined"; end; end
using R
p [1,2].map(&:foo), 1.respond_to?(:foo), 1.method(:foo).call, "#{3}", Integer.instance_method(:foo).name
class A; def x = [:a]; alias y x; end
class B < A; def x = [:b, *super]; alias z x; end
p B.new.z, B.instance_method(:y).owner
trace_var(:$traced) { |v| puts "traced #{v}" }
$traced = 1; untrace_var(:$traced); $traced = 2
alias $other $traced
p $other
def left; class << self; return 5; end; 6; end
p left
p TOPLEVEL_BINDING.local_variable_defined?(:later)
later = 1
p TOPLEVEL_BINDING.local_variable_get(:later)
x = [1,2]; o = Object.new; o.define_singleton_method(:to_a) { x }; r = *o; r << 3; p x
Thread.new { "t" =~ /t/; p $~[0] }.join; p $~
pr = proc { "a" =~ /a/ }; pr.call; p $~[0]
p eval("__ENCODING__".encode("EUC-JP")), eval("# coding: big5\n__ENCODING__")
begin; 1.instance_eval { def zz; end }; rescue TypeError => e; p e.message; end
class P; @@v = 1; end
class Q < P; def v = @@v; end
p Q.new.v, defined?(String::Integer), defined?(Math::PI)
p (begin; [1, 2].each { |i| break i }; end)
