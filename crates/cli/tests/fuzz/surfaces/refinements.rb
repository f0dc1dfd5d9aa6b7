$VERBOSE = nil
class A; def a = :a; def b = a; def to_s = "A"; def each = yield(1); include Enumerable; def <=>(o) = 0; include Comparable; end
class B < A; def a = [:b, super]; end
module M; def m = :m; def a = [:m, (super rescue 0)]; end
module R0; refine(A) { def a = :r0; def c = a }; refine(Integer) { def +(o) = 42; def zero? = :no }; end
module R1; refine(A) { def a = [:r1, super]; def to_s = "R1"; def method_missing(n, *) = n == :zork ? 1 : super }; refine(String) { def to_s = "s"; def length = -1; def to_proc = proc { 7 } }; end
module R2; refine(M) { def m = [:r2, super] }; refine(Array) { def each = yield(:r2); def [](i) = :at; def map = [:map]; def to_a = [9] }; refine(Enumerable) { def first = :first; def inject(*) = :inject }; end
module R3; refine(Kernel) { def puts2 = :p; def Integer(x) = :int }; refine(B) { import_methods(Module.new { def c = [:imported, a] }) }; refine(B.singleton_class) { def new(*) = :new }; end
$u = []
__END__
module X{k}; {using}; $u << -> { {use} }; end; $u.last.call
module X{k}; {using}; {using}; $u << -> { {use} }; end; $u.last.call
module X{k}; {using}; 3.times { {use} }; {use}; end
$u.sample(random: Random.new({i}))&.call
$u.map { |u| u.call rescue $!.class }
{change}; $u.last(3).map { |u| u.call rescue $!.class }
eval("{using}; {use}")
Module.new { {using} rescue $!.class }; {use}
{use}
[R{k}.refinements.map(&:target), (R{k}.refinements[0].used_modules rescue 0)]
Class.new(B) { {using} ; def z = {use} }.new.z
k: 0 | 1 | 2 | 3
using: using R0 | using R1 | using R2 | using R3
recv: A.new | B.new | B.new.extend(M) | 1 | "s" | [1, 2] | Class.new(B) { include M }.new | {a: 1}
use: {recv}.{call} | {recv}.{call} | ({recv} {op} {recv}) | [{recv}].map(&:{name}) | {recv}.send(:{name}) | {recv}.public_send(:{name}) | {recv}.respond_to?(:{name}) | {recv}.method(:{name}).owner.to_s | {recv}.method(:{name}).call | A.instance_method(:{name}).name | "#{{recv}}" | [*{recv}] | {recv}.then { _1.{name} } | ({recv} in [*]) | puts2 | Integer("3") | [3, 1].first | 1 + 1 | "ab".length | [{recv}].inject(:{name}) | {recv}.{name} { 1 } | {recv}&.{name} | -> { {recv}.{name} }.call | Module.used_modules.size | A.new.zork | B.new.method(:c).unbind.bind(B.new).call | eval("{recv}.{name}") | binding.eval("{recv}.{call}")
call: {name} | {name} | {name} | first | to_a | map { 2 } | each { 3 } | length | zero? | is_a?(R0) | itself.{name} | instance_eval { {name} } | frozen?
name: a | b | c | m | to_s | first | length | to_a | inject | zero? | map
op: + | == | <=> | < | === | *
change: class A; def a = :changed{i}; end | class B; remove_method :a rescue 0; end | class B; def a = :b2; end | module M; def m = :m2; end | module R0; refine(A) { def a = :r0b }; end | module R1; refine(A) { def b = :r1b; remove_method :a rescue 0 }; end | class Integer; alias plus2 +; end | A.include(M) | B.prepend(Module.new { def a = [:pre, super] }) | module R2; refine(Array) { undef_method :map rescue 0 }; end | class A; undef_method :c rescue 0; end | A.send(:private, :b) | A.send(:public, :b)
