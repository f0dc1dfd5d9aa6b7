# Texts that `unpack` copies out of the data, also while a block changes the receiver.
data = "ab  \0cd\0\0ef gh".b
200.times { data.unpack("a4A4Z*a*") }
p data.unpack("a4A4Z*a*"), data.unpack("Z3Z9a0A0"), data.unpack1("@5a2").encoding, data.unpack1("a99")
seen = []
"abcdef".dup.tap { |s| s.unpack("a2a2a2") { |part| seen << part; s.replace("") } }
p seen, "äö".unpack("a3a*"), "".unpack("aAZ"), "x".unpack("a1a1")
long = "a" * 5000
p long.unpack1("a*") == long, long.unpack1("a*").equal?(long), long.unpack("a4000a*").map(&:size)
copy = long.unpack1("a*")
long.setbyte(0, 98)
p copy.getbyte(0)

# Integers and code points are taken in pieces.
points = (0..400).map { |i| [i, 0x7ff, 0x800, 0xffff, 0x10ffff, 0x7fffffff][i % 6] }
p points.pack("U*").unpack("U*") == points, points.pack("U*").unpack("U3U*U").size
p "abc\xffd".unpack("U2"), ("abc\xffd".unpack("U*") rescue $!), ("ab\xe2\x82".unpack("U*") rescue $!)
p "é".unpack("U0C*U")
bytes = (0..255).cycle.take(1_100)
p bytes.pack("C*").unpack("C*") == bytes, bytes.pack("C*").unpack("c300C*").size
p [1].pack("C").unpack("C3"), "".unpack("C2U2")
wide = [0, -1, 2**63 - 1, -2**63, 2**62, -2**62 - 1, 5] * 40
p wide.pack("q*").unpack("q*") == wide, wide.pack("q*").unpack("Q*").last(7), wide.pack("q*").unpack("n*a*").size
