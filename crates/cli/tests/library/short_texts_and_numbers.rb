# Escapes, JSON's strings, decimals, weeks and compressed texts of all lengths.
require "bigdecimal"
require "cgi"
require "date"
require "json"
require "stringio"
require "zlib"

["abc", "a<b", "<é&>\"'", "", "x" * 100 + "<", "\xff<", "日本 語", "a b&c=d~e-f_g.h", "\xff<".b].each do |text|
  [:escapeHTML, :escape, :escapeURIComponent].each do |method|
    made = CGI.send(method, text)
    p [made, made.encoding, made.valid_encoding?, made.ascii_only?, made.equal?(text)]
  end
end

parts = ["a", "b", "é", "日", "\u{1F600}", "\"", "\\", "\n", "\t", "/", "\u0001", "\u2028", " ", "xyz", "0123456789"]
random = Random.new(1)
500.times do |round|
  text = Array.new(random.rand(60)) { parts[random.rand(round.even? ? parts.size : 5)] }.join
  [{}, { ascii_only: true }, { script_safe: true }].each do |options|
    json = JSON.generate(text, options)
    raise json unless JSON.parse("[#{json},{#{json}:1}]") == [text, { text => 1 }]
    raise json unless JSON.parse(json).ascii_only? == text.ascii_only?
  end
end
(0..150).each do |size|
  texts = ["a" * size, "a" * size + "\n\""]
  raise unless JSON.parse(JSON.generate(texts)) == texts
end
p JSON.generate([0, 9, 10, -10, 99, 100, -(2**62), 2**62 - 1, 10**18, 2**70])
p JSON.parse('["\ud83d\ude00\u00e9\u0041\/\b\f", "\u0041b\nc", true, false, null]')
["\"aaaaaaaaaa", "\"aaaaaaaaa\\", "\"aaaaaaaaaaa\x01\"", "\"aaaaaaaaaa\\q\"", "[trux]", "nul"].each do |text|
  p((JSON.parse(text) rescue $!.class))
end

%w[
  0 10 0.1 1.230 -1.5 1234567890123456789 12345678901234567890 123456789012345678901234567890.12345 1_000.5 .5 1e10
  1E-3 00.100 9999999999999999999
].each do |text|
  number = BigDecimal(text)
  p [number, number.to_s("F"), number.to_s("3F"), number.to_i, number.scale]
  p [number.round(1), number + 1, number * number]
end
p (BigDecimal("1__0") rescue $!.message), BigDecimal("2.5").round(0, half: :even)
p (BigDecimal("1", foo: 1) rescue $!.message)

[
  [1582, 10, 4], [1582, 10, 15], [1582, 1, 1], [1581, 12, 31], [1583, 1, 1], [1000, 1, 1], [-4712, 1, 1], [1500, 2, 28]
].each do |day|
  [Date::ITALY, Date::ENGLAND, Date::JULIAN, Date::GREGORIAN].each do |start|
    date = Date.new(*day, start)
    p [date.cweek, date.cwyear, date.cwday, date.to_time.to_a.values_at(3, 4, 5)]
  end
end
puts (-400..400).map { |days| date = Date.new(1582, 10, 15) + days; "#{date.cweek}/#{date.cwyear}" }.uniq.join(" ")
p Date.strptime("03/02/26", "%d/%m/%y"), Date.strptime("2026-034", "%Y-%j")
p (Date.strptime("2026-02-30", "%Y-%m-%d") rescue $!.message)

class Stream < StringIO; def initialize(*) = (@before = 1; super); end
stream = Stream.new("1\n2\n")
p stream.gets, stream.readlines, stream.gets
closed = StringIO.new("a")
closed.close
p (closed.gets rescue $!.message), (StringIO.new(+"", "w").gets rescue $!.message)

[0, 1, 10, 1000, 20_000, 100_000].each do |size|
  text = (0...size).map { |i| (i * 7919 % 251).chr }.join.b
  raise unless Zlib.inflate(Zlib.deflate(text)) == text && Zlib.gunzip(Zlib.gzip(text)) == text
  deflate = Zlib::Deflate.new
  packed = deflate.deflate(text, Zlib::SYNC_FLUSH) << deflate.finish
  p Zlib.inflate(packed) == text, Zlib.inflate(Zlib.deflate("a" * size)).size
end
