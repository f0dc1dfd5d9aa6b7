$VERBOSE = nil
Warning[:experimental] = false
class Mine; attr_accessor :a; def initialize(a) = @a = a; end
P = Struct.new(:x)
FROZEN = Ractor.make_shareable([1, {a: "b"}])
OPEN = [1, "x"]
$r = nil
__END__
Ractor.new({object}) { |x| x }.value
Ractor.new({object}) { |x| x.inspect.size; x.class }.value
Ractor.new { {inside} }.value
Ractor.new { {inside} }.value
Ractor.new({object}) { |x| {inside}; x }.value
r = Ractor.new { Ractor.receive }; r.send({object}); r.value
r = Ractor.new { Ractor.receive }; r.send({object}, move: true); r.value
o = {object}; r = Ractor.new { Ractor.receive }; r.send(o, move: true); [r.value.class, (o.inspect rescue $!.class)]
pt = Ractor::Port.new; Ractor.new(pt, {object}) { |q, x| q << x; q << 2 }.join; [pt.receive, pt.receive]
pt = Ractor::Port.new; r = {k}.times.map { |i| Ractor.new(pt, i) { |q, n| q << n * n } }; r.map { pt.receive }.sort
r = {k}.times.map { |i| Ractor.new(i) { |n| [n] * 3 } }; r.map(&:value)
r = Ractor.new { {inside} }; r.join; [r.value, (r.value rescue $!.class)]
pt = Ractor::Port.new; r = Ractor.new { {inside} }; r.monitor(pt); pt.receive
pt = Ractor::Port.new; pt.close; [pt.closed?, (pt << 1 rescue $!.class), (pt.receive rescue $!.class)]
a = Ractor::Port.new; b = Ractor::Port.new; Ractor.new(b) { |q| q << :b }; Ractor.select(a, b).last
r = Ractor.new { raise IndexError, "x" }; begin; r.value; rescue Ractor::RemoteError; [$!.cause.class, $!.ractor == r]; end
Ractor.make_shareable({object}).then { [_1.frozen?, Ractor.shareable?(_1)] }
Ractor.shareable?({object})
Ractor.shareable_proc { {k} }.call
x = {object}; Ractor.shareable_proc { x }.call
Ractor.store_if_absent(:k{k}) { {object} }; Ractor[:k{k}].class
Ractor.new { Thread.new { Thread.new { Ractor.current == Ractor.main }.value }.value }.value
Ractor.new { GC.start; 100.times.map { |i| "#{i}" * i }.last.size }.value
[Ractor.count, Ractor.current == Ractor.main, Ractor.main?]
Ractor.new { Fiber.new { Fiber.yield 1; 2 }.then { [_1.resume, _1.resume] } }.value
Ractor.new({object}) { |x| Ractor.new(x) { |y| y.class }.value }.value
object: 1 | "a" | +"mutable" | :s | [1, "a"] | {a: [1]} | Mine.new([1]) | P.new("x") | FROZEN | 2**80 | 1.5 | nil | Set[1, "b"] | proc { 1 } | lambda { |x| x } | Object.new | Class | Mutex.new | $stdout.dup | Thread.current | /a/ | "a".."b" | [1].each | Time.at(0) | IndexError.new("m") | Data.define(:q) | [[[1]]] | "é".encode("UTF-16LE") | Queue.new | binding | 1.method(:+) | Ractor::Port.new | [1, [Mine.new(2)]] | Struct.new(:z).new(1) | Random.new(3) | ObjectSpace::WeakMap.new | {[1] => {b: nil}}.compare_by_identity | Encoding::UTF_8 | "abc".match(/b/)
inside: FROZEN | OPEN | $r | $stdout.class | Mine.new(1).a | @x | @@y | raise("e") | throw(:t) | Ractor.current.class | 1.upto(50).map { _1.to_s }.size | Mine.class_variable_set(:@@v, 1) | Object.const_set(:Q{k}, []) | define_method(:z) { } | ENV["HOME"].class | Thread.current[:a] = 1 | srand(1); rand(10) | [3, 1, 2].sort_by { -_1 } | "x".encode("UTF-16LE").size | Ractor.receive if false | eval("1 + 1") | $~.class | "ab" =~ /b/; $~[0] | catch(:q) { throw :q, 5 } | Class.new { def f = 1 }.new.f | Marshal.load(Marshal.dump([1, "a"])) | exit | return 5 | Ractor.main.class | ObjectSpace.each_object(Mine).count | Comparable.instance_method(:clamp).name | require("set") | loop { break 7 } | Timeout.timeout(5) { 1 } | warn("x") | at_exit { } | Signal.trap(:USR1) { } | Process.clock_gettime(1).class
k: 1 | 2 | 3 | 4
