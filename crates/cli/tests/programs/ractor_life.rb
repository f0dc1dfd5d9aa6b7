# Running Ractors: results, isolation, termination. The expected output follows CRuby 4.0's own tests
# (bootstraptest/test_ractor.rb), class variables and blocks without code 4.1dev.

$stderr = File.open(File::NULL, "w")
Thread.report_on_exception = false

def try(name)
  puts "#{name}: #{yield.inspect}"
rescue Ractor::RemoteError => e
  puts "#{name}: #{e.message} #{e.cause.class}: #{e.cause.message.lines.first&.chomp}"
rescue Exception => e
  puts "#{name}: #{e.class}: #{e.message}"
end

try("value") { Ractor.new { 1 + 2 }.value }
try("arguments") { a = "x".dup; r = Ractor.new(a, [a]) { |b, (c)| [b, c, b.equal?(c)] }; [*r.value, a] }
try("frozen argument") { a = "x".freeze; Ractor.new(a) { |b| b }.value.equal?(a) }
try("self") { r = Ractor.new { self.object_id }; r.value == r.object_id }
try("receive") { r = Ractor.new { [receive, Ractor.receive, Ractor.recv] }; r << 1; r.send([2]); r << :c; r.value }
try("sent to the main one") { Ractor.new { Ractor.main << [:hello, Ractor.main?] }.join; Ractor.receive }
try("name") { r = Ractor.new(name: "worker") {}; r.join; [r.name, r.name.frozen?, Ractor.new {}.join.name] }
try("bad name") { Ractor.new(name: [{}]) {} }
try("inspect") { r = Ractor.new(name: "n") {}.join; r.inspect.sub(/#\d+/, "#N").sub(/\S+\.rb:\d+/, "FILE") }
try("count") do
  rs = 3.times.map { Ractor.new { Ractor.receive } }
  counts = [Ractor.count]
  rs.each { |r| r.send(nil).join; counts << Ractor.count }
  counts
end

try("error") { Ractor.new { raise "boo" }.value }
try("error at join") { Ractor.new { raise ArgumentError, "no" }.join }
try("whose error") { r = Ractor.new { raise "boo" }; begin; r.join; rescue Ractor::RemoteError => e; e.ractor == r end }
try("exit") { Ractor.new { exit }.value }
try("exit in a thread of it") { Ractor.new { Thread.new { exit }.join }.value }
try("killed") { Ractor.new { t = Thread.current; Thread.new { t.kill }.join }.value }
try("raised in") { Ractor.new { t = Thread.current; begin; Thread.new { t.raise "err" }.join; rescue => e; e.message end }.value }
try("value twice") { r = Ractor.new { [1] }; r.value.equal?(r.value) }
try("value for one") { r = Ractor.new { 1 }; r.value; Ractor.new(r) { |x| x.value }.value }
try("ended: send") { r = Ractor.new {}; r.join; r << 1 }
try("closed: send") { r = Ractor.new { Ractor.current.close; Ractor.main << :ok; Ractor.receive }; Ractor.receive; (r << 1 rescue $!.class) }
try("port of an ended one") { Ractor.new { Ractor::Port.new }.value.closed? }
try("another's port") { q = Ractor::Port.new; Ractor.new(q) { |port| port.receive }.value }
try("closing another's") { q = Ractor::Port.new; Ractor.new(q) { |port| port.close }.value }

try("monitor") { r = Ractor.new { receive }; q = Ractor::Port.new; m = r.monitor(q); r << 1; [m, q.receive, r.monitor(q), q.receive] }
try("monitor of an error") { r = Ractor.new { raise "x" }; r.monitor(q = Ractor::Port.new); q.receive }
try("unmonitor") { r = Ractor.new { receive }; r.monitor(q = Ractor::Port.new); r.unmonitor(q); r << 1; r.join; q << :mine; q.receive }
try("select a port") { q, z = Ractor::Port.new, Ractor::Port.new; Ractor.new(z) { |port| port << :here }; Ractor.select(q, z).then { |port, m| [port == z, m] } }
try("select ractors") do
  rs = 5.times.map { |i| Ractor.new(i) { |n| n * n } }
  got = []
  until rs.empty?
    r, v = Ractor.select(*rs)
    rs.delete(r)
    got << v
  end
  got.sort
end
try("select an error") { Ractor.select(Ractor.new { raise "sel" }) }

GOOD = "good".freeze
BAD = ["bad".dup]
class C
  LIST = [1]
  @int = 1
  @str = "s".dup
  @@cv = "cv"
  class << self
    attr_reader :int, :str
    attr_writer :new
    def cv = @@cv
    def set_cv = @@cv = 1
    def there = [defined?(@str), defined?(@nope)]
  end
end
def bad_constant = BAD
bad_constant
$gv = 1
try("constant") { Ractor.new { GOOD }.value }
try("constant of another") { Ractor.new { BAD }.value }
try("the same, cached") { Ractor.new { bad_constant }.value }
try("constant in a class") { Ractor.new { C::LIST }.value }
try("const_get") { Ractor.new { C.const_get(:LIST) }.value }
try("new constant") { Ractor.new { C.const_set(:OTHER, "x".freeze); C::OTHER }.value }
try("bad new constant") { Ractor.new { C.const_set(:WRONG, ["x".dup]) }.value }
try("constants stay the main one's") { [bad_constant, BAD] }
try("global") { Ractor.new { $gv }.value }
try("global set") { Ractor.new { $gv = 2 }.value }
try("globals of its own") { Ractor.new { "ab" =~ /b/; [$~[0], $$ == Process.pid, $!, $stdout.fileno, $VERBOSE] }.value }
try("verbose") { Ractor.new { $VERBOSE = true }.join; $VERBOSE }
try("streams") { Ractor.new { [$stdin, $stdout, $stderr].map(&:object_id) }.value.zip([$stdin, $stdout, $stderr]).any? { |id, io| id == io.object_id } }
try("output") { $stdout.flush; Ractor.new { puts "from a Ractor"; $stdout.print "x", "\n" }.join; nil }
try("output elsewhere") { Ractor.new { require "stringio"; $stdout = StringIO.new; puts 1; $stdout.string }.value }
try("class's variable") { Ractor.new { C.int }.value }
try("that may change") { Ractor.new { C.str }.value }
try("set") { Ractor.new { C.new = 1 }.value }
try("by name") { Ractor.new { C.instance_variable_set(:@x, 1) }.value }
try("defined") { Ractor.new { C.there }.value }
try("class variable") { Ractor.new { C.cv }.value }
try("class variable set") { Ractor.new { C.set_cv }.value }
try("shareable class variables") { C.class_variable_set(:@@one, 1); Ractor.new { C.class_variable_get(:@@one) }.value }
try("missing class variable") { Ractor.new { C.class_variable_get(:@@none) }.value }
try("proc of a symbol") { [:to_s.to_proc, 1.method(:+), {5 => 6}].map { |block| Ractor.new(5, &block).value } }
try("variable of a Ractor") { r = Ractor.new {}; r.instance_variable_set(:@a, 1); Ractor.new(r) { |x| x.instance_variable_get(:@a) }.value }
try("variable of a frozen one") { o = Object.new; o.instance_variable_set(:@a, 1); Ractor.new(o.freeze) { |x| x.instance_variable_get(:@a) }.value }
try("method of a block") { s = "s".dup; self.class.send(:define_method, :buggy) { s << "x" }; Ractor.new { buggy }.value }
try("method of a shareable block") { n = 1; self.class.send(:define_method, :fine, Ractor.shareable_proc { n + 1 }); Ractor.new { fine }.value }
try("method of its own") { Ractor.new { c = Class.new { x = 1; define_method(:y) { x += 1 } }.new; c.y; c.y }.value }
try("classes of its own") { Ractor.new { Class.new { def hi = :hi }.new.hi }.value }
try("eval") { outer = 42; Ractor.new { eval("outer", nil, "(eval)") }.value }
try("eval of its own") { Ractor.new { inner = 99; eval("inner + 1") }.value }
try("at_exit") { Ractor.new { at_exit {} }.value }
try("fork") { Ractor.new { fork }.value }

try("local") { Ractor[:k] = "a"; r = Ractor.new { x = [self[:k]]; self[:k] = "b"; x << Ractor[:k] }; [r.value, Ractor[:k]] }
try("another's local") { Ractor.new { Ractor.main[:k] }.value }
try("another's local set") { Ractor.new { Ractor.main[:k] = 1 }.value }
try("once") { Ractor.new { 20.times.map { |i| Thread.new { Ractor.store_if_absent(:i) { Thread.pass; i } } }.map(&:value).uniq.size }.value }
try("threads") { Ractor.new { t = Thread.new { sleep }; [Thread.list.size, Thread.main == Thread.current, t.kill.join.alive?] }.value }
try("thread list here") { r = Ractor.new { receive }; n = Thread.list.size; r << 1; r.join; n }
try("group") { g = Thread.current.group; Ractor.new(g.object_id) { |id| Thread.current.group.object_id == id }.value }
try("variables of threads in it") { Ractor.new { a = 1; Thread.new { a += 1 }.join; a }.value }
try("threads end with it") do
  Ractor.new(Ractor.current) do |main|
    q = Queue.new
    3.times do |i|
      Thread.new do
        q << 1
        i == 0 ? loop {} : sleep
      ensure
        main << :ended
      end
    end
    3.times { q.pop }
  end.join
  3.times.map { Ractor.receive }
end
try("deadlock in it") { Ractor.new { Queue.new.pop }.value.class }
try("random") { srand(1); a = rand; r = Ractor.new { srand(1); rand }.value; b = rand; srand(1); [r == a, [rand, rand] == [a, b]] }
try("require") { Ractor.new { require "stringio"; StringIO.new("x").read }.value }
try("fiber storage") { Fiber[:k] = 1; Ractor.new { Fiber[:k] }.value }
try("objects") { keep = Object.new; Ractor.new(keep.object_id) { |id| (ObjectSpace._id2ref(id) rescue $!.class) }.value }
try("walking objects") { Ractor.new { ObjectSpace.each_object(String).all? { |s| Ractor.shareable?(s) } }.value }
try("moved and back") { s = "a".dup; r = Ractor.new { receive << "b" }; r.send(s, move: true); [r.value, Ractor::MovedObject === s] }
try("copied back") { m = { "k" => ["v".dup] }; Ractor.new(m) { |h| h["k"] << 1; h }.value.then { |h| [h, m] } }
try("many messages") do
  q = Ractor::Port.new
  workers = 4.times.map { Ractor.new(q) { |port| while (n = receive); port << [n, "#{n}" * 3] end } }
  100.times { |i| workers[i % 4] << i }
  got = 100.times.map { q.receive }
  workers.each { |w| w << nil }.each(&:join)
  got.sort == 100.times.map { |i| [i, "#{i}" * 3] }
end
try("forked") do
  r = Ractor.new { receive }
  pid = fork { exit!(r.value.nil? && Ractor.count == 1 && (r << 1 rescue $!.class == Ractor::ClosedError) ? 0 : 1) }
  status = Process.wait2(pid)[1].exitstatus
  r << 123
  [status, r.value]
end
try("warned once") do
  out = IO.popen([RbConfig.ruby, "-e", 'Ractor.new {}.join; Ractor.new {}.join', err: [:child, :out]], &:read)
  out.sub(/-e:1/, "FILE")
end
try("reported") do
  out = IO.popen([RbConfig.ruby, "-W0", "-e", 'r = Ractor.new { raise "boo" }; (r.join rescue p $!.cause)', err: [:child, :out]], &:read)
  out.gsub(/0x\h+/, "0x")
end
