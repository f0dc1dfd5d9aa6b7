# Encodes and decodes: Base64, hexadecimal, compression.
require "base64"
require "zlib"
require "stringio"
text = Array.new(5_000) { |i| "line #{i} of a text that is compressed #{i * i % 91}\n" }.join
size = 0
6.times do |level|
  packed = Zlib::Deflate.deflate(text, level + 1)
  size += packed.bytesize > 0 && Zlib::Inflate.inflate(packed) == text ? 1 : 0
  size += Base64.strict_decode64(Base64.strict_encode64(packed)) == packed ? 1 : 0
end
zipped = StringIO.new
Zlib::GzipWriter.wrap(zipped) { |gz| text.each_line { |line| gz.write(line) } ; gz.finish }
lines = Zlib::GzipReader.new(StringIO.new(zipped.string)).each_line.count
small = 40_000.times.sum { |i|
  Base64.decode64(Base64.encode64("value #{i}")).size + ["v#{i}"].pack("H*").size + "k#{i}".unpack1("H*").size }
puts size, lines, small, Zlib.crc32(text), Base64.urlsafe_encode64("\xff\xfe~é")
