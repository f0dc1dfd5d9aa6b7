# Marshal.load of dumps that were changed.
Point = Struct.new(:x, :y)
Keyed = Struct.new(:a, keyword_init: true)
Fixed = Data.define(:x, :y)
class Own
  def initialize = (@a, @b = 1, [self])
end
class Dumped
  def _dump(_) = "text"
  def self._load(text) = text
end
class Stored
  def marshal_dump = [1]
  def marshal_load(list) = @list = list
end
class SubString < String; end
class SubArray < Array; end
class SubHash < Hash; end

shared = "shared"
DUMPS = [nil, true, 5, -300, 2**31, 2**70, -2**200, 1.5, Float::NAN, "text", "é", "b".b, "s".encode("UTF-16LE"), :sym,
  :"é",
         [1, [2, [3]]], {a: 1, "b" => 2}, Hash.new(5).merge(1 => 2), {1 => 2}.compare_by_identity, /re(g)/mi,
           Point.new(1, "y"),
         Keyed.new(a: 1), Fixed.new(1, 2), Own.new, Dumped.new, Stored.new, SubString.new("x"), SubArray[1], SubHash[1,
           2],
         [shared, shared, [shared]], 1..5, "a"..nil, Rational(1, 3), Complex(1, 2.0), Time.at(0, 5, :nsec,
           in: "+09:00"),
         String, Comparable, Process::Status, RuntimeError.new("m"), Set[1, 2], Random.new(3), Encoding::UTF_8,
         "x".dup.extend(Comparable), Object.new.extend(Enumerable), "i".dup.tap { |s| s.instance_variable_set(:@iv,
           [s]) },
         ObjectSpace::WeakMap, [:a, :b, :a, :a], Array.new(300) { |i| i }].filter_map { |v| Marshal.dump(v) rescue nil }
PARTS = ["\x04\x08", "0", "T", "F", "i\x06", "i\x04\xff\xff\xff\x7f", "[\x06", "[\x04\xff\xff\xff\x7f", "{\x06",
  "}\x06", "\"\x06a",
         "\"\x04\xff\xff\xff\x7f", "I", "I:\x06a\x06:\x06E", ":\x06a", ";\x00", "@\x06", "@\x00", "o:\x0bObject\x06",
           "S:\x0aPoint\x06",
         "u:\x0bDumped", "U:\x0bStored", "c\x0bString", "m\x0fComparable", "e:\x0fComparable", "C:\x0eSubString",
           "l+\x06", "l-\x04\xff\xff\xff\x7f",
         "f\x08nan", "/\x06a\x00", "M\x06", "d:\x0bObject", "S:\x0aFixed\x07", "U:\x0dRational", "U:\x0cComplex",
           "Iu:\x09Time\x0d", "o:\x0aRange\x08",
         "o:\x0bRandom", "U:\x0bRandom", "o:\x08Set\x06", "C:\x0cSubHash"].map(&:b)

def attempt
  text = Kit.changed(Kit.pick(DUMPS), PARTS + Kit::PIECES).b
  text = "\x04\x08".b + Array.new(1 + Kit.roll(8)) { Kit.pick(PARTS) }.join if Kit.roll(4) == 0
  text = "\x04\x08".b + text.byteslice(2..).to_s if Kit.roll(8) > 0
  reads text
  try { Marshal.load(text).inspect }
  try { Marshal.dump(Marshal.load(text, freeze: true)) }
  turns = 0
  try { Marshal.load(text, proc { |v| (turns += 1) > 99 ? raise("many") : Kit.roll(9) == 0 ? Kit.value(1) : v }).hash }
end
