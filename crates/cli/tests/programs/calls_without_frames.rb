# Native methods that compiled code calls without a frame: their frequent cases, all others, and errors. Recorded from
# CRuby 4.1dev.
require "strscan"; require "set"
def lex(s)
  ss = StringScanner.new(s); out = []
  until ss.eos?
    if ss.skip(/\s+/) then next
    elsif t = ss.scan(/\d+/) then out << [:n, t, ss.matched_size, ss.pos]
    elsif t = ss.scan(/(\w)(\w*)/) then out << [:w, ss[1], ss[2], ss.matched, ss.pre_match.size, ss.charpos]
    else out << [:c, ss.peek(2), ss.peek_byte, ss.getch, ss.rest_size, ss.bol?] end
  end
  ss.reset; ss.terminate; out << ss.rest? << ss.pos
  out
end
40.times { |i| $r = lex("foo bar_#{i} 12 + é(x)") }
p $r
t = Thread.current
60.times { |i| t[:"a#{i % 3}"] = i; t[:a1]; t.key?(:zz); t[:x] = nil }
p t[:a0], t.key?(:a1), t.keys.size
S = Struct.new(:a, :b); s = S.new(1, 2)
60.times { |i| s[0] = i; s[:b] = "x#{i}"; s[-1]; s["a"] }
p s, (s[5] rescue $!.message), (s[:q] rescue $!.message)
set = Set.new
60.times { |i| set << i % 7; set.add("k#{i % 3}"); set.include?(i); set === i; set.add?(i % 9) }
p set.size, set.include?("k1"), (set.dup.freeze << 1 rescue $!.class)
f = Set[1]; 40.times { |i| begin; f.each { |x| f << 100 + i }; rescue => e; $e = e.message; end }
p $e, f.size
r = Random.new(42); a = []
60.times { a = [r.rand, r.rand(10), r.rand(1..6), r.rand(1.5), r.bytes(5)] }
p a, (r.rand(0) rescue $!.message), (r.rand(-1) rescue $!.message)
srand(7); x = nil; 60.times { x = [rand, rand(10), rand(0), rand(-5), Random.rand(3), Random.bytes(3)] }
p x
tm = Time.utc(2024, 2, 29, 1, 2, 3.5r); y = nil
60.times { y = [tm.year, tm.mon, tm.day, tm.hour, tm.min, tm.sec, tm.wday, tm.yday, tm.usec, tm.to_i, tm.utc?] }
p y
m = "ab12".match(/([a-z]+)(\d+)/); z = nil
60.times { z = [m[0], m[-1], m[1, 2], m[5], m.begin(1), m.end(2), m.size, m.string, (m.begin(9) rescue $!.message)] }
p z
def numbers = [Integer(3), Integer(2.9), Integer(-2.9), Float(2), Float(2.5), Integer(2**70)]
60.times { z = numbers + [(Integer(nil) rescue $!.message), (Integer(Float::NAN) rescue $!.message)] }
p z
60.times { z = ["abc".ljust(9, "."), "é".rjust(5, "0"), "é".center(7, "é"), "abc".reverse, "é1".reverse] }
p z, ("x".ljust(3, "0".encode("UTF-16LE")) rescue $!.class)
big = [2**64, -(2**64), 3**200, -(5**150), 2**63, 1, 0, -1, 2**1300]
10.times do
  big.product(big) { |u, v| raise "#{u} #{v}" unless (v == 0 || u * v / v == u) && (u * v).to_s.to_i == u * v }
end
p big.map { |u| big.sum { |v| u * v } }.map(&:bit_length)
