# Gzip files at the edges: encodings, paths, what is no gzip file; checksums of streams; chunks in a buffer.
require "zlib"
require "stringio"
require "tempfile"

Tempfile.create("gzip") do |file|
  text = "äöü\nß\n"
  Zlib::GzipWriter.open(file.path) { |gz| gz.print(text) }
  Zlib::GzipReader.open(file.path, encoding: "UTF-8") { |gz| p gz.gets, gz.read(1), gz.unused }
  Zlib::GzipReader.open(file.path, encoding: "UTF-8:ISO-8859-1") { |gz| p gz.gets.encoding }
  reader = Zlib::GzipReader.open(file.path)
  reader.close
  p reader.path == file.path

  ["foo", "foobarzothoge", ""].each do |other|
    File.binwrite(file.path, other)
    Zlib::GzipReader.open(file.path)
  rescue Zlib::GzipFile::Error => e
    p [e.message, e.input]
  end

  File.binwrite(file.path, "abc" * 10_000)
  p File.open(file.path) { |io| Zlib.crc32(io) } == Zlib.crc32("abc" * 10_000)
  p File.open(file.path) { |io| Zlib.adler32(io, Zlib.adler32("x")) } == Zlib.adler32("x" + "abc" * 10_000)
end

p Zlib::GzipWriter.new(StringIO.new).respond_to?(:path)
begin
  Zlib::GzipWriter.new(nil).close
rescue NoMethodError => e
  puts e.message
end

out = "".b
p Zlib.deflate("text") { |chunk| out << chunk }
p Zlib.inflate(out) { |chunk| p chunk }

buffer = String.new
sizes = []
result = Zlib::Inflate.new.inflate(Zlib.deflate("0" * 40_000), buffer: buffer) do |chunk|
  sizes << [chunk.size, chunk.equal?(buffer)]
end
p result, sizes
