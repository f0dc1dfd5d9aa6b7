# Bits by offset and range, negative powers, places of groups behind characters of several bytes.
small = [0, 1, -1, 42, -43, 2**61, -(2**61), 2**62 - 1, -(2**62)]
offsets = [0, 1, 5, 61, 62, 63, 64, 70]
lengths = [0, 1, 3, 61, 62, 63, 64]
digest = 0
2.times do
  small.each do |n|
    offsets.each do |offset|
      row = lengths.map { |length| [n[offset, length], n[offset..offset + length], n[offset...offset + length]] }
      digest = (digest * 31 + row.flatten.sum { |bits| bits.to_s.sum * bits }) % (2**89 - 1)
    end
  end
end
p digest, 42[1..3], 42[1...3], 42[3..1], 42[-1, 3], 42[-2..1], 42[2..], 40[..2], -1[0, 62], -1[0, 63], -1[70, 2]
bases = [2, -2, 3, 10, -7, 2**70, -(2**65), 1, -1]
p bases.map { |n| [n**-1, n**-2, n.pow(-3), Rational(n)**-1, Rational(n, 5)**-2, Rational(n, 5)**3, n**0] }
p Rational(0)**0, Rational(0)**3, Rational(2, 3)**0
p Rational(2, 3)**Rational(-2), Rational(3, 2)**62, Rational(3, 2)**-63
[-> { 0**-1 }, -> { Rational(0)**-2 }, -> { 2**-(2**70) }].each { |f| p f.call rescue p [$!.class, $!.message] }

def places(m)
  (0...m.size).map do |i|
    [m.offset(i), m.begin(i), m.end(i), m.byteoffset(i), m.bytebegin(i), m.byteend(i), m.match_length(i)]
  end
end
texts = ["héllo wörld", "hello world", "ö" * 40 + "él", "\xffä l".b, "ä\xffäl"]
texts << "äl".encode("UTF-16LE").force_encoding("UTF-8")
texts.each do |text|
  m = /(?<=(.))?(l+)|(\xb6)(x)?/n.match(text.b) and p places(m)
  m = (/(\S)(l+)|(l)/.match(text) rescue nil) and 2.times { p places(m) }
end
m = /(é)(l)?/.match("ö" * 40 + "ée").freeze
p places(m), m.match_length(2), m.offset(2)
p((m.offset(3) rescue $!), (m.begin(-1) rescue $!), (m.byteoffset(2**70) rescue $!))
