# Errors that were raised before, backtraces of programs, texts, and what fails late.
def error_of
  yield
rescue Exception => error
  [error.class, error.message]
end

ended = [1].each
ended.next
first = (ended.peek rescue $!)
again = (ended.next rescue $!)
p first.equal?(again), again.cause.equal?(first), again.result, again.backtrace[0][/:\d+:/]

class Odd < StandardError
  def backtrace = :none
end
begin
  raise Odd
rescue Odd => odd
  p error_of { $@ }, error_of { odd.full_message }
end
begin
  raise "one"
rescue => error
  p error.full_message(highlight: false).end_with?("one (RuntimeError)\n")
end

`true`
p error_of { Process.wait }[0], $?.class
p File.realpath("/etc/passwd/."), File.realpath("/etc/passwd/"), File.realpath("/etc/./passwd/../../etc")
p error_of { File.realpath("/etc/passwd/x") }[0]
p error_of { "foo".freeze.gsub!("o") }[0]
p [Float::NAN].pack("f"), [-Float::NAN].pack("g")
p Process.clock_getres(:CLOCK_REALTIME, :nanosecond).class, error_of { Process.clock_gettime(:CLOCK_NONE) }[0]

half = Class.new(Numeric) do
  def to_r = 0r
  def coerce(other) = [other, 0]
end.new
p (Complex(3, half).to_r)
p error_of { Time.now.send(:initialize) }, error_of { Time.allocate.to_s }, Time.allocate.send(:initialize, 2000).class
p error_of { 1.step(10, {by: "1"}).size }[0], error_of { 1.step(10, "1") {} }[0]
class Text < String; end
p (-Text.new("a")).class, (-Text.new("a")).frozen?, (-"a").class
p (1..3).lazy.zip("a".."c").to_a, ("a".."c").each.tap(&:next).then { |list| (1..2).lazy.zip(list).force }
counts = ObjectSpace.count_objects({T_NONE_OF_MINE: 7})
p counts[:T_NONE_OF_MINE]
out, into = IO.pipe
into.puts("\u0a01".encode("UTF-16LE"), "\n".encode("UTF-16BE"), "a".encode("UTF-32BE"))
into.close
p out.binmode.read
report, into = IO.pipe
child = fork do
  $stderr.reopen(into)
  Thread.new { Thread.stop }.join
end
Process.wait(child)
into.close
p report.read.lines.first[/in '[^']+': No live threads/]
p error_of { IO.popen("cat", "r+") { |both| system("true", in: both) } }

p error_of { Math.sqrt(-1) }, error_of { [1, 2].singleton_method(:z) }
p Errno::ENOTSUP.name, Errno::EOPNOTSUPP.equal?(Errno::ENOTSUP), Errno::ENOTCAPABLE, Errno::EOPNOTSUPP::Errno
p fork { exit! }.then { |child| Process.wait2(child)[1].exitstatus }
File.open(__FILE__) do |file|
  file.each_line(2).first(3)
  p file.lineno, file.gets, file.lineno, file.gets(nil, 5), file.lineno
end
p "%d %d %d" % [-3.99, -0.5, -7/2r], [1, 2].fill(0, 4, 0), [1, 2].fill(4, 0) { 3 }, [1, 2].fill(0, 5..), [1, 2].fill(7, 3)
p error_of { Enumerator.produce(1, &:succ).max(Object.new) }[0], Enumerator.produce(1, &:succ).min(0), [1].rfind.inspect
p [-> { Thread::Queue.new.pop(by: 1) }, -> { Fiber.new(x: 1) {} }, -> { GC.start(x: 1) }, -> { Dir.glob("x", x: 1) }].map { |f| error_of(&f)[1] }
trace_var(:$traced) { |value| $traced = value * 2 }
$traced = 5
p $traced
module Warning
  def self.warn(text, **) = puts("told: #{text.gsub(/^.*?warning: /, "")}")
end
was, $VERBOSE = $VERBOSE, true
Twice = 1
Twice = 2
def twice = 1
def twice = 2
$VERBOSE = was
