# Recorded from CRuby 3.4.11: streams, pipes and child processes as CRuby's own tests use them.
require "stringio"

# A $stdout that only responds to `write`.
only_write = Object.new
def only_write.write(*parts) = (@parts ||= []).concat(parts).size
$stdout = only_write
puts "a", ["b"]
print "c"
putc "d"
$stdout = STDOUT
p only_write.instance_variable_get(:@parts).join

out = StringIO.new
looping = Object.new
def looping.to_ary = [self]
out.puts looping, [1, [2]], nil
p out.string

# The child of a pipe may have been waited for already.
status = IO.popen(["true"]) { |pipe| Process.wait2(pipe.pid)[1].success? }
p status

# The block of a child does not continue with the parent's program.
begin
  p IO.popen("-") { |pipe| pipe ? pipe.read : raise("not seen") }
rescue RuntimeError
  p :the_child_went_on
  exit!
end

# A stream that was reopened as another has its encodings, and shares its position.
File.write("streams_and_children.tmp", "foo\nbar\nbaz\n")
File.open("streams_and_children.tmp", "rb:UTF-16LE") do |first|
  File.open("streams_and_children.tmp", "r:UTF-8") do |second|
    first.reopen(second)
    p first.external_encoding, first.binmode?, first.gets, first.gets
    first.reopen(second)
    p first.gets
  end
end
File.unlink("streams_and_children.tmp")

# A pipe without readers: STDOUT that was reopened as a pipe raises the pipe's error.
saved = STDOUT.dup
error = nil
IO.popen("true", "w") do |pipe|
  STDOUT.reopen(pipe)
  Process.wait(pipe.pid)
  begin
    STDOUT.print "lost\n"
  rescue SystemCallError => error
  end
end
STDOUT.reopen(saved)
p error.class

srand(42)
reader, writer = IO.pipe
Process.wait(fork { writer.puts rand(1 << 64) })
p reader.gets.to_i == rand(1 << 64)

# Unreferenced streams return their descriptors when none are left.
Process.wait(fork do
  Process.setrlimit(Process::RLIMIT_NOFILE, 50)
  # In a thread, whose native stack is no longer scanned after it has ended.
  Thread.new do
    held = []
    100.times { held << File.open(IO::NULL) }
  rescue Errno::EMFILE => error
    p error.class
  end.join
  p [File.open(IO::NULL), *IO.pipe, $stdin.dup].size
end)

# One working directory for all threads.
Dir.chdir("/") { p Thread.new { Dir.chdir("/tmp") rescue $! }.value }
p Dir.allocate.path

# Threads that accept from the same socket; only one of them gets the connection.
require "socket"
servers = Array.new(3) do
  Thread.new do
    TCPServer.open("127.0.0.1", 0) do |server|
      accepting = Array.new(3) { Thread.new { server.accept.close } }
      Array.new(3) { Thread.new { TCPSocket.open("127.0.0.1", server.addr[1]) { } } }.each(&:join)
      accepting.each(&:join)
    end
  end
end
p servers.each(&:join).size

# Paragraphs, byte order marks, and the operations that a frozen StringIO refuses.
text = "abc\r\n\r\n\r\ndef\r\n"
p StringIO.new(text).each("").to_a, StringIO.new(text).each("", chomp: true).to_a, StringIO.new("a\n\n\nb\n").each("", chomp: true).to_a
p StringIO.new("\uFEFFa", mode: "rb:BOM|UTF-8").read, StringIO.new("\uFEFFa".encode("UTF-16LE"), mode: "r:BOM|UTF-8").read.encoding
p StringIO.new.set_encoding("US-ASCII").tap { |io| io.write("caf", "é") }.string.encoding
frozen = StringIO.new("abc").freeze
[-> { frozen.puts "x" }, -> { frozen.string = "" }, -> { frozen.reopen("") }, -> { frozen.read }, -> { StringIO.new("", "rx") },
 -> { StringIO.new("").read_nonblock }].each do |action|
  action.call
rescue FrozenError, ArgumentError => error
  p error.class
end
buffer = +""
p StringIO.new("pread").pread(3, 1, buffer), buffer

# Characters that cannot be converted, with a stream's options.
File.binwrite("streams_and_children.tmp", "a\uFFFDb\x80c\n".b)
[{ undef: :replace, invalid: :replace }, { undef: :replace, invalid: :replace, replace: "" }, { undef: :replace }].each do |options|
  p File.read("streams_and_children.tmp", mode: "r:utf-8:euc-jp", **options)
rescue EncodingError => error
  p error.class
end
p File.foreach("streams_and_children.tmp", mode: "r:utf-8:euc-jp", undef: :replace, invalid: :replace).to_a
File.open("streams_and_children.tmp", "w:iso-8859-1", undef: :replace, replace: "_") { |file| file.puts "café あ" }
p File.binread("streams_and_children.tmp")
IO.pipe("UTF-8:EUC-JP", undef: :replace) do |reader, writer|
  writer << "\uFFFD"
  writer.close
  p reader.dup.read
end
File.unlink("streams_and_children.tmp")
begin
  "\u00A5".encode("Shift_JIS", nil)
rescue EncodingError => error
  p error.class
end
