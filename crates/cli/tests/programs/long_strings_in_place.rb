# A long String grows and changes without a second copy of it in memory.

LENGTH = 24 << 20

def peak = File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i >> 10

def rises_by_less_than(megabytes)
  before = peak
  yield
  rise = peak - before
  puts "a rise of #{rise} MB" if rise >= megabytes
end

s = "ab" * (LENGTH / 2)
rises_by_less_than(8) do
  s << "c"
  s.prepend("z")
  s.insert(7, "y")
  p s.upcase!.size, s.upcase!, s.downcase!.size, s.swapcase!.size, s.capitalize!.size, s.capitalize!
  p s.tr!("b", "x").size, s.tr!("b", "x"), s.reverse!.size
  p s[0, 4], s[-12..], s.ascii_only?
end
rises_by_less_than(8) { p((-s).equal?(-s), (-s).frozen?) }

# Copies that share the bytes stay as they are.
text = "aäb" * 2000
ascii = "aXb" * 2000
200.times do
  copies = [text.dup, ascii.dup, ascii.dup, ascii.dup, ascii.dup]
  copies[0].tr!("ä", "o")
  copies[1].tr!("X", "-")
  copies[2].upcase!
  copies[3].reverse!
  copies[4].tr!("X", "ö")
  raise "changed" unless text == "aäb" * 2000 && ascii == "aXb" * 2000
  raise "wrong" unless copies == ["aob" * 2000, "a-b" * 2000, "AXB" * 2000, "bXa" * 2000, "aöb" * 2000]
end
p ascii.dup.tr!("X", "-").ascii_only?, ascii.dup.tr!("X", "ö").ascii_only?, ascii.dup.force_encoding("BINARY").tr!("X", "\xff".b).encoding

# Names are shared, and a change of the original makes a copy.
name = "n" * 5000
kept = -name
name << "m"
p kept.size, name.size, kept.equal?(-("n" * 5000))

# Arrays grow where they are, too.
array = Array.new(400_000) { |i| i.to_s if i % 1000 == 0 }
between = Array.new(50_000, 1)
700_000.times { |i| array << (i % 1000 == 0 ? i.to_s : nil) }
p array.size, array.compact.size, array[0], array[399_000], array[400_000], array[-1000], between.sum

zeros = nil
rises_by_less_than(2) { zeros = "\0" * (LENGTH * 20) }
p zeros.bytesize, zeros.getbyte(-1)
zeros = nil
