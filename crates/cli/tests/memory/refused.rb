# Runs expressions again and again while the first, second, … large allocation of native memory fails (refuse.c), until
# none is refused. Each must end in NoMemoryError or in a result; prints those that do neither.
require "json"
require "stringio"
require "strscan"
require "zlib"

N = 600_000

# The texts and lists that the expressions use.
s = "aé" * N
a = "ab" * N
b = "\xff\x00" * N
k = ("\x82\xa0" * N).force_encoding("Shift_JIS")
u = ("ab" * N).force_encoding("UTF-16LE")
l = Array.new(N) { "ab" }
n = 1 << (N * 10)

EXPRESSIONS = DATA.each_line(chomp: true).reject(&:empty?)
$stdout.sync = true

EXPRESSIONS.each do |expression|
  code = eval("proc { #{expression} }", binding)
  (1..8).each do |number|
    Process.getpgid(1 << 30 | number)
    begin
      code.call
    rescue NoMemoryError, RegexpError
      nil # The matcher says that its stack overflows.
    rescue StandardError => error
      Process.getpgid(1 << 30)
      puts "#{expression}: #{error.class}: #{error.message[0, 100]}"
      break
    end
    break if Process.getpgid(1 << 30) == 1
  end
end
puts "all"

__END__
s.inspect
s.dump
s.dump.undump
s.reverse
s.succ
s.upcase
s.swapcase
s.capitalize
s.tr("a", "é")
s.tr_s(a, "é")
s.delete(a)
s.squeeze
s.count(a, s)
s.strip
s.center(N * 9, s)
s.unicode_normalize(:nfd)
s.encode("UTF-16LE")
s.encode("UTF-16LE").unicode_normalize(:nfc)
u.encode("UTF-8")
k.encode("UTF-8")
s.encode("US-ASCII", fallback: ->(_) { "x" })
b.scrub("é")
b.inspect
s.casecmp?(a)
s.grapheme_clusters.size
s.each_grapheme_cluster { nil }
s.split("")
s.gsub(/é/, "ee")
s.gsub(/a/) { "xy" }
s.scan(/a/)
s % []
format("%p", s)
format("%-900000d", 1)
a.to_sym
a.hex
a.crypt("ab") rescue 0
a.unpack("a*Z*")
a.unpack("H*B*")
[s].pack("M")
[s].pack("u")
[s].pack("m")
[s].pack("M").unpack("M")
[s].pack("m").unpack("m")
s.unpack("U*").pack("U*")
s.unpack("C*").pack("w*")
l.join("é")
l.inspect
l.pack("a*" * 10)
Marshal.load(Marshal.dump([s, l, n]))
JSON.parse(JSON.generate([s, l]))
JSON.pretty_generate(l)
Zlib.inflate(Zlib.deflate(b))
Zlib.gunzip(Zlib.gzip(b))
Zlib.crc32(b)
StringIO.new(s).read(N)
StringIO.new(s).each_line("é").first
StringIO.new.write(s)
StringScanner.new(s).scan_until(/x|\z/)
Regexp.escape(s)
Regexp.union(a)
Time.at(0).strftime("%900000Y")
Time.at(0).iso8601(N * 3)
File.join(a, a)
File.expand_path(a)
File.basename(a)
File.fnmatch(a, a)
File.exist?(a)
IO.pipe { |_, w| w.write_nonblock(s) }
n.to_s(16)
n.digits(256)
[n].pack("w")
Integer(a, 16)
a.to_r
a.to_c
a.to_f
Comparable.instance_method(:==).inspect
Object.const_defined?(a.capitalize)
Object.new.instance_variable_get("@" + a)
send(a) rescue 1
Random.bytes(N)
