# Short texts are compressed and decompressed as by streams, broken ones raise the same errors, and a finished stream
# can still be asked, reset and given a dictionary.
require "zlib"
require "stringio"

def tell
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

texts = ["", "a", "hello world " * 20, "é\0" * 3000, "x" * 20_000, (0..3000).to_a.join(" ")]
200.times do |turn|
  texts.each do |text|
    bytes = text.b
    (-1..9).each { |level| raise "level #{level}" unless Zlib.inflate(Zlib.deflate(text, level)) == bytes }
    raise "zlib" unless Zlib::Inflate.inflate(Zlib::Deflate.deflate(text)) == bytes
    raise "gzip" unless Zlib.gunzip(Zlib.gzip(text)) == bytes
  end if turn % 40 == 0

  deflated = Zlib.deflate(texts[2])
  packed = Zlib.gzip(texts[2])
  next unless turn == 0 || turn == 199
  p deflated.encoding, Zlib.inflate(deflated).encoding, packed.encoding, Zlib.gunzip(packed).encoding
  p Zlib.deflate("abc") == Zlib::Deflate.new.deflate("abc", Zlib::FINISH), packed[0, 4], packed[8, 2]
  p (Time.now.to_i - packed[4, 4].unpack1("V")).between?(0, 5), packed[-4..].unpack1("V")
  p Zlib.inflate(deflated + "more").size, Zlib.gunzip(packed + "more").size
  tell { Zlib.deflate("a", 10) }
  tell { Zlib.deflate("a", nil).size }
  tell { Zlib.deflate(nil) }
  tell { Zlib.deflate(:a) }
  tell { Zlib.inflate(deflated[0..-2]) }
  tell { Zlib.inflate("") }
  tell { Zlib.inflate("abc") }
  tell { Zlib.inflate(deflated[0, 10] + "\xff".b * 10) }
  tell { Zlib.inflate(deflated[0..-2] + "!") }
  tell { Zlib.gunzip("") }
  tell { Zlib.gunzip(packed[0, 6]) }
  tell { Zlib.gunzip(packed[0, 20]) }
  tell { Zlib.gunzip(packed[0..-2]) }
  tell { Zlib.gunzip(packed[0..-9]) }
  tell { Zlib.gunzip(packed[0..-2] + "!") }
  tell { Zlib.gunzip(packed.dup.tap { |s| s.setbyte(-8, s.getbyte(-8) ^ 1) }) }
  tell { Zlib.gunzip(packed.dup.tap { |s| s.setbyte(2, 7) }) }
  tell { Zlib.gunzip(packed.dup.tap { |s| s.setbyte(3, 2) }) }
  tell { Zlib.gunzip(nil) }

  stream = Zlib::Inflate.new
  p stream.inflate(deflated + "tail").size, stream.finished?, stream.total_in, stream.total_out
  p stream.adler == Zlib.adler32(texts[2])
  other = Zlib::Inflate.new
  p other.inflate(deflated[0, 5]), stream.total_out
  tell { stream.set_dictionary("abc") }
  stream.reset
  p stream.finished?, stream.total_in, stream.total_out
  p stream.inflate(Zlib.deflate("again")), other.inflate(deflated[5..]).size
  p stream.close, stream.closed?
  tell { stream.total_in }

  raw = Zlib::Deflate.new(nil, -Zlib::MAX_WBITS).deflate("raw", Zlib::FINISH)
  stream = Zlib::Inflate.new(-Zlib::MAX_WBITS)
  p stream.inflate(raw), stream.finished?, stream.total_in
  small = Zlib::Deflate.new(nil, 9).deflate("small window", Zlib::FINISH)
  p Zlib.inflate(small), Zlib::Inflate.new(9).inflate(small)

  readers = Array.new(3) { |i| Zlib::GzipReader.new(StringIO.new(Zlib.gzip("text #{i}\nline\n"))) }
  p readers.map(&:gets), readers.map(&:read), readers.map(&:unused)
end
data = (0..255).to_a.pack("C*") * 5
p [0, 1, 15, 16, 63, 64, 65, 127, 128, 255, 256, 257, 1023, 1024, 1280].map { |size| Zlib.crc32(data[0, size]) }
p (0..1280).step(7).inject(0) { |sum, size| Zlib.crc32(data[size, 7], sum) } == Zlib.crc32(data), Zlib.crc32(data, 99)
