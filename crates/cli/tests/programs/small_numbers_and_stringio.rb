# Rounding, divisors, steps and StringIO: small operands by the fast paths, others by the slow ones. Recorded with CRuby
# 3.4.11.
[1.5,-1.5,0.5,-0.5,2.5,0.49999999999999994,-0.0,1e15,4e15,1e16,1e300,2**53+0.0,4503599627370497.5].each { |f| p [f.floor, f.ceil, f.round, f.truncate, f.to_i, f.round(half: :even), f.floor(1), f.ceil(-1)] }
[Float::NAN, Float::INFINITY].each { |f| %i[floor ceil round truncate].each { |m| begin; p f.send(m); rescue => e; p e.class, e.message; end } }
n = 2**62 - 1; m = -2**62
[[0,0],[0,5],[5,0],[12,18],[-12,18],[12,-18],[n,m],[m,m],[m,3],[n,n-1],[2**64,6],[6,2**64]].each { |a,b| p [a.gcd(b), a.lcm(b), a.gcdlcm(b), a.abs] }
begin; 3.gcd(1.5); rescue => e; p e.message; end
a=[]; (1..10).step(3) { a << _1 }; (1...10).step(3) { a << _1 }; (1..).step(5) { |x| a << x; break if x > 10 }; (10..1).step(2) { a << :no }; (1..2**64).step(2**63) { a << _1 }; p a
p (1..3).step(1) { }, (1..5).step(2).to_a, (1..5).step.to_a; begin; (1..5).step(0) { }; rescue => e; p e.message; end; begin; (1..5).step(-1) { |x| p x }; rescue => e; p e.message; end
a=[]; 0.0.step(1.0, 0.25) { a << _1 }; 1.step(2, 0.5) { a << _1 }; 1.0.step(by: -0.5, to: 0) { a << _1 }; 1.step(3.0) { a << _1 }; 1.0.step(Float::INFINITY, 2) { |x| a << x; break if x > 5 }; 0.0.step(1.0, Float::INFINITY) { a << _1 }; p a
p 1.0.step(2.0, 0.1).to_a.size, 1.0.step(2.0, 0.1) { }, (0.0..1.0).step(0.25).to_a
require 'stringio'
s = StringIO.new("héllo\nworld\n"); p s.eof?, s.read(3), s.read, s.eof?, s.read, s.read(1), s.rewind, s.read(0), s.getbyte, s.pos, s.read(nil), s.lineno, s.rewind, s.gets, s.lineno, s.rewind, s.lineno
s = StringIO.new("abc".encode("UTF-16LE")); p s.read.encoding, (s.rewind; s.read(2).encoding); s.close_read rescue p $!
begin; s.read; rescue => e; p e.class, e.message; end; begin; s.eof?; rescue => e; p e.class, e.message; end
s = StringIO.new("abc"*3000); p s.read.size, s.rewind, s.read(5000).size, s.eof, s.read(10000).size, s.eof; b = +"zz"; s.rewind; s.read(3, b); p b
begin; StringIO.new("a").freeze.rewind; rescue => e; p e.class; end
w = StringIO.new; w.write("a"); w.rewind; begin; w2 = StringIO.new(+"", "w"); w2.read; rescue => e; p e.message; end
