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
