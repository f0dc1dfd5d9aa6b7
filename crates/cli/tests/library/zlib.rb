# Recorded from CRuby 3.4.11 (zlib 3.2.1).
require "zlib"
require "stringio"
def t; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t { Zlib.crc32("abc", 5) }; t { Zlib.adler32("abc") }; t { Zlib.crc32_combine(1, 2, 3) }; t { Zlib.crc_table[1] }; t { Zlib.crc32(1) }
z = Zlib.deflate("hello world" * 10)
t { Zlib.inflate(z) == "hello world" * 10 }; t { Zlib.inflate("abc") }; t { Zlib.inflate(z[0..-3]) }; t { Zlib.inflate(z + "xyz").size }
i = Zlib::Inflate.new; t { i.inflate(z[0, 5]) + i.inflate(z[5..]) }; t { i.finished? }; t { i.inflate("more") }; t { i.finish }; t { [i.total_in, i.total_out] }; t { i.close }; t { i.inflate("") }
i = Zlib::Inflate.new; t { i.inflate(z + "tail") }; t { i.inflate(nil) }
d = Zlib::Deflate.new; t { d.set_dictionary("hello world") }; zz = d.deflate("hello world", Zlib::FINISH)
i = Zlib::Inflate.new; t { i.inflate(zz) }; t { i.set_dictionary("bad") }; t { i.set_dictionary("hello world") }; t { i.inflate("") }
i = Zlib::Inflate.new; i.add_dictionary("hello world"); t { i.inflate(zz) }
t { Zlib::Inflate.new(-15).inflate(Zlib::Deflate.new(6, -15).deflate("raw", Zlib::FINISH)) }; t { Zlib::Inflate.new(47).inflate(Zlib.gzip("gz")) }; t { Zlib::ZStream.new }
g = Zlib.gzip("abc"); t { Zlib.gunzip(g) }; t { Zlib.gunzip("abc") }; t { Zlib.gunzip(g[0..-9]) }; t { x = g.dup; x.setbyte(-5, 1); Zlib.gunzip(x) }; t { x = g.dup; x.setbyte(-1, 1); Zlib.gunzip(x) }
io = StringIO.new("".b); w = Zlib::GzipWriter.new(io); w.mtime = 1; w.orig_name = "n"; w.comment = "c"
t { w.write("ab", "c") }; t { (w << "d").equal?(w) }; t { w.puts("e") }; t { w.print("f", 1) }; t { w.printf("%d", 3) }; t { w.putc(65) }; t { w.pos }; t { w.mtime = 5 }; t { w.crc }; t { w.finish == io }; t { w.close }; t { w.write("x") }
r = Zlib::GzipReader.new(StringIO.new(io.string))
t { [r.mtime.to_i, r.orig_name, r.comment, r.level, r.os_code] }; t { r.gets }; t { r.lineno }; t { r.getc }; t { r.ungetc("Q") }; t { r.read(2) }; t { r.readbyte }; t { r.pos }; t { r.read }; t { r.read }; t { r.read(1) }; t { r.eof? }; t { r.getc }; t { r.readchar }; t { r.unused }; t { r.rewind }; t { r.readlines }; t { r.close.class }; t { r.read }
lines = Zlib.gzip("a\nbb\n\n\nccc\n\nd")
[[], ["b"], [nil], [""], [2], [nil, 3], ["cc", 2]].each { |a| t { Zlib::GzipReader.new(StringIO.new(lines)).readlines(*a) } }
t { Zlib::GzipReader.new(StringIO.new("abc")) }; t { Zlib::GzipReader.zcat(StringIO.new(lines + g)) }; t { r = Zlib::GzipReader.new(StringIO.new(g + "unused")); r.read; r.unused }

# If a file refuses a write, only that data is lost.
class Refusing
  attr_reader :parts
  def initialize(count) = (@count, @parts = count, [])

  def write(bytes)
    @parts << bytes
    raise "no" if @parts.size <= @count
  end
end

file = Refusing.new(1)
writer = Zlib::GzipWriter.new(file)
begin
  writer.write("foo")
  writer.flush
rescue RuntimeError => error
  p error.message
end
writer.finish
p file.parts.size, Zlib.gunzip(file.parts.join)
file = Refusing.new(2)
writer = Zlib::GzipWriter.new(file)
writer.mtime = 1
p((writer.write("foo") rescue $!.message), (writer.finish rescue $!.message))
p((writer.finish rescue $!.class), Zlib.gunzip(file.parts.join))
