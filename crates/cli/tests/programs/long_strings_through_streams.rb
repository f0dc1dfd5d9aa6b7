# Long Strings are written, and read into buffers, without copies; what others see of them does not change.
require "tempfile"

LONG = ("0123456789abcdef" * 8192).freeze # 128 KB
path = Tempfile.create("long").path
at_exit { File.delete(path) }

# Writing.
File.open(path, "w") do |f|
  p f.syswrite(LONG), f.pwrite("XY", 10), f.write(LONG, "|", LONG), f.write("a" * 40_000, 1, :b)
  f.puts(LONG)
  f.print("end", LONG)
end
text = File.binread(path)
puts text.bytesize
expected = LONG.dup.tap { |s| s[10, 2] = "XY" } + LONG + "|" + LONG + "a" * 40_000 + "1b" + LONG + "\nend" + LONG
p text == expected
File.open(path, "w:utf-16le") { |f| p f.write("é" * 20_000, "b" * 40_000) }
p File.size(path)
File.open(path, "w", crlf_newline: true) { |f| f.write("a\n" * 20_000, "b\n") }
p File.size(path)
File.open(path, "w") { |f| f.write("begin"); f.write(LONG, LONG); f.write("end") }
p File.binread(path) == "begin" + LONG + LONG + "end"

# Reading into buffers.
File.binwrite(path, LONG + LONG.reverse)
File.open(path, "rb") do |f|
  buffer = "old".encode("utf-16le")
  300.times do
    f.rewind
    raise "read" unless f.read(100_000, buffer).equal?(buffer) && buffer.b == LONG[0, 100_000]
    copy = buffer.dup
    raise "readpartial" unless f.readpartial(20_000, buffer).bytesize == 20_000
    raise "shared" unless copy.b == LONG[0, 100_000] && buffer.b == LONG[100_000, 20_000]
    f.sysseek(7)
    raise "sysread" unless f.sysread(30_000, buffer).b == LONG[7, 30_000]
    raise "pread" unless f.pread(40_000, LONG.size + 1, buffer).b == LONG.reverse[1, 40_000]
  end
  p buffer.encoding, buffer.bytesize, buffer.frozen?
  f.seek(-5, IO::SEEK_END)
  p f.read(100_000, buffer).bytesize, f.read(100_000, buffer), buffer
  buffer << "more".encode("utf-16le")
  [-> { f.readpartial(100_000, buffer) }, -> { f.sysread(100_000, buffer) },
   -> { f.pread(100_000, 1 << 30, buffer) }].each do |read|
    buffer.replace("filled")
    p((read.call rescue $!.class), buffer)
  end
  f.rewind
  p f.read(50_000).bytesize, f.readpartial(1 << 20).bytesize, (f.readpartial(1 << 20) rescue $!.class)
  p((f.sysread(50_000, "frozen".freeze) rescue $!.class))
end

# Other threads cannot change the buffer meanwhile, and their copies keep their bytes.
reader, writer = IO.pipe
buffer = "before" * 10_000
thread = Thread.new { reader.readpartial(60_000, buffer) }
Thread.pass until thread.status == "sleep"
copy, slice = buffer.dup, buffer[6, 40_000]
p((buffer << "x" rescue $!.class), (buffer.clear rescue $!.class))
writer.write("after" * 10)
thread.join
p buffer, copy == "before" * 10_000, slice == ("before" * 10_000)[6, 40_000]
thread = Thread.new { reader.read(70_000, buffer) }
sum = 0
20.times { sum += writer.syswrite("z" * 3000) }
writer.close
p thread.value.equal?(buffer), buffer == "z" * sum

# Long lines.
File.binwrite(path, ["a" * 300_000, "b", "é" * 30_000, "c" * 16_383, "d" * 16_384, "last" * 9000].join("\r\n"))
2.times do
  p File.foreach(path).map { |line| [line.size, line[-2..], line.encoding] }
  p File.readlines(path, chomp: true).map { |line| [line.size, line[-1]] }
end
File.open(path) { |f| p f.gets("b").size, f.gets.size, f.lineno, f.pos; f.gets; p f.lineno, $. }
File.open(path, "rt") { |f| p f.readlines.map(&:size) }
File.open(path, "r:utf-8:utf-16le") { |f| p f.readlines("\n".encode("utf-16le")).map(&:size) }
reader, writer = IO.pipe
writer.write("no newline yet" * 2000)
thread = Thread.new { Thread.current.report_on_exception = false; reader.gets }
Thread.pass until thread.status == "sleep"
thread.raise("interrupted")
p((thread.value rescue $!.message))
writer.puts("!")
p reader.gets.size, reader.gets.nil? if writer.close.nil?

# Copying between streams.
File.binwrite(path, LONG)
other = "#{path}.copy"
at_exit { File.delete(other) }
p IO.copy_stream(path, other), File.binread(other) == LONG
p IO.copy_stream(path, other, 1000), File.binread(other) == LONG[0, 1000]
p IO.copy_stream(path, other, 1000, 70_000), File.binread(other) == LONG[70_000, 1000]
File.open(path) do |f|
  f.gets("3")
  File.open(other, "a") { |g| g.write("first "); p IO.copy_stream(f, g), f.eof? }
  p File.binread(other) == LONG[70_000, 1000] + "first " + LONG[4..]
  f.rewind
  File.open(other, "r+") do |g|
    g.read(3)
    p IO.copy_stream(f, g, 5), g.pos, f.pos
  end
  p File.binread(other)[0, 10]
  f.rewind
  reader, writer = IO.pipe
  thread = Thread.new { reader.read }
  p IO.copy_stream(f, writer), f.pos
  writer.close
  p thread.value == LONG
  p((IO.copy_stream(f, File.open(path)) rescue $!.class))
end
reader, writer = IO.pipe
writer.write("through a pipe")
writer.close
p IO.copy_stream(reader, other), File.read(other)
p IO.copy_stream("/proc/self/status", other) > 100

# Room for much more than there is.
reader, writer = IO.pipe
buffer = +"old"
3.times do
  writer.write("few")
  p reader.readpartial(1 << 24), (reader.read_nonblock(1 << 24) rescue $!.class)
  writer.write("few")
  p reader.read_nonblock(1 << 20, buffer).equal?(buffer), buffer
  p reader.read_nonblock(1 << 20, buffer, exception: false)
  p buffer
end
writer.write("end")
writer.close
p reader.read(1 << 19), reader.read(1 << 19), reader.read_nonblock(1 << 20, buffer, exception: false), buffer
