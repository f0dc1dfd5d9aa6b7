# A reader's position in its buffer, whatever it is read by; checksums of streams by their wrapper; short texts written.
require "zlib"
require "stringio"
text = (1..3000).map { |i| "line #{i} é\n" }.join
packed = Zlib.gzip(text)
reader = -> { Zlib::GzipReader.new(StringIO.new(packed)) }
r = reader.()
p r.gets, r.pos, r.getc, r.pos, r.read(5), r.ungetc("é"), r.pos, r.getc, r.gets, r.ungetbyte(65), r.read(3), r.lineno
p r.readline, r.gets(nil)&.bytesize, r.pos, r.eof?, r.gets, r.unused
lines = []
reader.().each_line { |line| lines << line }
p lines.join == text, lines[0].encoding, reader.().each_line.to_a == lines, reader.().read == text
r = reader.()
parts = []
while (part = r.read(1000))
  parts << part
  parts << r.gets if parts.size % 5 == 0
end
p parts.map(&:b).join == text.b, parts.map(&:class).uniq, r.pos, r.rewind, r.gets, r.pos
p reader.().each_byte.sum == text.bytes.sum, reader.().each_char.first(8).join
$_ = "kept"
reader.().each_line { break }
p $_, (reader.().gets; $_)

[-15, 15, 31].each do |bits|
  deflate, inflate = Zlib::Deflate.new(nil, bits), Zlib::Inflate.new(bits)
  sums = [deflate.adler, inflate.adler]
  out = deflate.deflate("hello" * 10, Zlib::FINISH)
  inflate.inflate(out)
  p bits, sums << deflate.adler << inflate.adler
end
[Zlib.gzip("hello"), Zlib.deflate("hello")].each { |bytes| i = Zlib::Inflate.new(47); i.inflate(bytes); p i.adler, i.reset, i.adler }
[0, 1, 63, 64, 65, 200].each { |size| p Zlib.crc32("x" * size, size) }

out = StringIO.new("".b)
writer = Zlib::GzipWriter.new(out)
p writer.puts("a"), writer.puts("b\n"), writer.puts, writer.puts("c", 1), writer.puts(["d", ["e"]]), (writer << "f").equal?(writer), writer.write, writer.write("g", 2)
p writer.puts("é".encode("UTF-16LE")), writer.pos, (writer.close; Zlib.gunzip(out.string))
5000.times.each_slice(1000) { |some| d = Zlib::Deflate.new; some.each { |i| d << i.to_s }; p Zlib.inflate(d.finish).size }
