# Strings and Arrays that a block changes while they are worked on, and which operand a search or a pair of elements
# asks. Expected output from CRuby 4.1dev.

def try(n)
  p [n, yield]
rescue RuntimeError => e
  p [n, e.class, e.message]
end

try(1) { s = +"abcabc"; s.gsub("b") { s.clear; "x" } }
try(2) { s = +"abcabc"; s.scan(/a/) { s.clear } }
try(3) { s = +"abcabc"; s.scan("a") { s << "a" if s.size < 9 } }
try(5) { s = +"abcabc"; s.sub(/b/) { s.clear; "x" } }
try(6) { a = [1, 2, 3]; a.fill { |i| a.clear; i } }
try(7) { a = [1, 2, 3]; a.fill(0, 6) { |i| a.pop; i } }
try(8) { a = [1, 2, 3]; a.fill { |i| a << 9; i } }
try(9) { a = [1]; a.fill(2, 2) { |i| i } }

class Key
  include Comparable
  attr_reader :v

  def initialize(v) = @v = v
  def ==(other) = ($asked << v; false)
  def <=>(other) = ($asked << [v, other.v]; v <=> other.v)
end

[[3, 1, 2, 5, 4], [1, 1, 1], [2, 1], [1], []].each do |list|
  $asked = []
  p list.minmax_by { Key.new(it) }, $asked
end
$asked = []
{ 1 => Key.new(:held) }.rassoc(Key.new(:wanted))
{ 1 => Key.new(:held) }.key(Key.new(:wanted))
p $asked
p({ a: 1, b: 2 }.rassoc(2), { a: 1 }.rassoc(2), { b: 2, a: 1, c: 3 }.minmax_by { |k, v| v })
