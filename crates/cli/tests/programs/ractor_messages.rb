# Messages between Ractors: copied, moved or shared. Recorded from CRuby 4.0.0, where a Ractor sends to a port of its
# own; calls of `clone` and messages with Procs and Methods from 4.1dev.

def try(name)
  puts "#{name}: #{yield.inspect}"
rescue Exception => e
  puts "#{name}: #{e.class}: #{e.message}"
end

PORT = Ractor::Port.new
S = Struct.new(:a)
D = Data.define(:a)

def sent(message, move: false) = PORT.send(message, move: move).receive

try("string") { s = "a".dup; c = sent(s); [c, c.equal?(s), c.frozen?] }
try("frozen string") { s = "a".freeze; sent(s).equal?(s) }
try("one object twice") { s = "a".dup; c = sent([s, s]); c[0].equal?(c[1]) }
try("an array in itself") { a = []; a << a; c = sent(a); c[0].equal?(c) }
try("hash by identity") do
  h = { "k".dup => ["v".dup] }.compare_by_identity
  c = sent(h)
  [c, c.compare_by_identity?, c[c.keys[0]]]
end
try("array as key") { h = { ["a".dup] => 1 }; c = sent(h); [c[["a"]], c.keys[0].equal?(h.keys[0])] }
try("many keys") { h = (1..20).to_h { |i| [[i.to_s], i] }; c = sent(h); [c == h, c[["7"]]] }
try("default") { h = Hash.new("d".dup); c = sent(h); [c[1], c[1].equal?(h[1])] }
try("default proc") { sent(Hash.new { 1 }) }
try("struct") { s = S.new("x".dup); c = sent(s); [c, c.a.equal?(s.a)] }
try("data") { d = D.new("x".dup); c = sent(d); [c, c.a.equal?(d.a), c.frozen?] }
try("object") { o = Object.new; o.instance_variable_set(:@a, ["x".dup]); c = sent(o); [c.instance_variable_get(:@a), c.equal?(o)] }
try("singleton method") { o = Object.new; def o.hi = 5; sent(o).hi }
try("variable of a string") { s = "a".dup; s.instance_variable_set(:@q, ["z".dup]); sent(s).instance_variable_get(:@q) }
try("initialize_clone") do
  sent(Class.new { attr_reader :x; def initialize_clone(o, freeze: nil) = (super; @x = 7) }.new).x
end
class Uncloned; def clone = raise("no"); end
try("clone is called") { sent([Uncloned.new]) }
try("why it failed") { begin; sent(Uncloned.new); rescue Ractor::Error => e; e.cause end }
try("clone of another") { a = [1]; def a.clone = [2]; sent(a) }
try("clone of itself") { a = [1]; def a.clone = self; sent(a) }
try("frozen outside only") { c = sent([["a".dup]].freeze); [c.frozen?, c[0].frozen?] }
try("range") { r = ("a".dup.."b".dup); c = sent(r); [c, c.begin.equal?(r.begin)] }
try("time") { sent(Time.at(0, 1, :nsec)).nsec }
try("random") { sent(Random.new(3)).rand == Random.new(3).rand }
try("set") { sent(Set[1]) }
try("match") { m = "abc".match(/b(?<x>c)/); c = sent(m); [c[0], c[:x], c.equal?(m)] }
try("error") { begin; raise "boo"; rescue => e; c = sent(e); [c.message, c.equal?(e)] end }
try("cause") { begin; begin; raise "a"; rescue; raise "b"; end; rescue => e; c = sent(e); [c.cause.message, c.cause.equal?(e.cause)] end }
try("class") { sent(String) }
try("ractor") { sent(Ractor.current).equal?(Ractor.current) }
try("port") { q = Ractor::Port.new; sent(q).equal?(q) }
try("proc") { sent(proc {}) }
try("thread") { sent(Thread.current) }
try("method") { sent("a".dup.method(:+)) }
try("method of a shareable object") { [sent(1.method(:+)).call(2), sent(Integer.instance_method(:+)).class] }
try("proc of a symbol") { sent(:to_s.to_proc).call(3) }
try("proc of a method") { sent(1.method(:+).to_proc) }
try("binding") { sent(binding) }
try("enumerator") { sent([1].each) }
try("lazy enumerator") { sent([1].lazy) }

try("moved string") { s = "abc".dup; c = sent(s, move: true); [c, Ractor::MovedObject === s] }
try("moved, frozen") { s = "abc".freeze; c = sent(s, move: true); [c.equal?(s), s] }
try("moved array") { a = ["x".dup]; x = a[0]; c = sent(a, move: true); [c, Ractor::MovedObject === x, Ractor::MovedObject === a] }
try("moved array in itself") { a = []; a << a; c = sent(a, move: true); c[0].equal?(c) }
try("moved hash") { h = { a: ["b".dup] }; b = h[:a]; c = sent(h, move: true); [c, Ractor::MovedObject === b] }
try("moved object") do
  o = Object.new
  o.instance_variable_set(:@a, "x".dup)
  id = o.object_id
  c = sent(o, move: true)
  [c.instance_variable_get(:@a), c.object_id == id]
end
try("moved singleton method") { o = Object.new; def o.hi = 5; sent(o, move: true).hi }
try("moved struct") { sent(S.new("q".dup), move: true) }
try("moved range") { sent("a".dup.."b".dup, move: true) }
try("moved match") { sent("abc".match(/b/), move: true)[0] }
try("moved proc") { sent(proc {}, move: true) }
try("moved thread") { sent(Thread.current, move: true) }
try("moved mutex") { sent(Mutex.new, move: true) }
try("moved time") { sent(Time.now, move: true) }
try("what was not moved") { a = ["q".dup, proc {}]; (sent(a, move: true) rescue 0); a[0] }

def gone(value = [1]) = (sent(value, move: true); value)
try("call") { gone.inspect }
try("missing method") { gone.foo(1, a: 2) {} }
try("==") { gone == 1 }
try("!") { !gone }
try("equal?") { gone.equal?(1) }
try("instance_eval") { gone.instance_eval {} }
try("===") { case 1 when gone then 1 end }
try("to_s") { "#{gone}" }
try("concat") { [].concat(gone) }
try("replace") { "".dup.replace(gone("a".dup)) }
try("bound method") { Array.instance_method(:<<).bind_call(gone, 1) }
try("its class") { Kernel.instance_method(:class).bind_call(gone) }
try("frozen") { Kernel.instance_method(:frozen?).bind_call(gone) }
try("new") { Ractor::MovedObject.new }

try("closed: receive") { q = Ractor::Port.new; q.close; [q.closed?, (q.receive rescue $!.message)] }
try("closed: send") { q = Ractor::Port.new; q.close; q << 1 }
try("closed: what is left") { q = Ractor::Port.new; q << 1; q.close; [q.closed?, q.receive] }
try("select") { q = Ractor::Port.new; q << 1; Ractor.select(q).then { |port, message| [port == q, message] } }
try("select nothing") { Ractor.select }
try("select a number") { Ractor.select(1) }
try("inspect") { Ractor::Port.new.inspect.sub(/\d+>/, "N>") }
try("to itself") { Ractor.current << "a"; Ractor.receive }
try("outside") { Ractor.current.receive }
