# Marshal: the bytes of dumps, the objects loaded from them, and the errors for hostile input. Output from CRuby 3.4.11.
require "stringio"

class Pair
  attr_reader :a, :b
  def initialize(a, b) = (@a, @b = a, b)
  def marshal_dump = [@a, @b]
  def marshal_load(parts) = (@a, @b = parts)
end

class Text
  attr_reader :text
  def initialize(text) = @text = text
  def _dump(_limit) = @text
  def self._load(text) = new(text)
end

class Words < Array; end
class Table < Hash; end
class Pattern < Regexp; end
class Span < Range
  def initialize(*) = (super; @note = 1)
end
module Loud; end
Point = Struct.new(:x, :y)
Size = Data.define(:w, :h)

text = "shared"
prepended = "a".dup
prepended.singleton_class.prepend(Loud)
prepended.extend(Comparable)
object = Object.new
object.instance_variable_set(:@self, object)
OBJECTS = [
  nil, true, false, 0, 122, 123, -123, -124, 2**30 - 1, 2**30, -2**30, -2**30 - 1, 2**62, 2**64, -2**90,
  1.5, -0.0, 1e100, 1e-5, 100.0, Float::INFINITY, Float::NAN,
  :a, :é, [:a, :a, :é, :é], "utf", "é", "x".b, "a".encode("UTF-16LE"), ["a".encode("UTF-16LE"), :"é".to_s.encode("EUC-JP")],
  /a.b/i, Pattern.new("é"), [text, text], Words[1], Table[1, 2], {a: 1, "b" => [2]}, Hash.new(3), {}.compare_by_identity,
  Point.new(1, Point.new), Size.new(w: 1, h: 2), 1..2, "a"..., Span.new(1, 3), Rational(1, 2), Complex(1, 2.5),
  Pair.new(1, text), Text.new("é"), object, prepended, Set[1, [2]], String, Comparable, Process::Status,
  Exception.new("m"), KeyError.new("m", receiver: {}, key: 2), Time.utc(2026, 1, 2, 3, 4, Rational(12345678, 1000000)),
]
OBJECTS.each do |v|
  dump = Marshal.dump(v)
  p dump
  back = Marshal.load(dump)
  puts "not the same: #{back.inspect}" unless Exception === v || Marshal.dump(back) == dump
end

puts "refused"
singleton = Object.new
def singleton.own = 1
[
  proc {}, method(:p), binding, $stdin, Thread.current, Mutex.new, Queue.new, [1].each, 1.step(3), StringIO.new, /a/.match("a"),
  Hash.new {}, singleton, "a".singleton_class, Class.new, Module.new, Class.new.new,
].each do |v|
  Marshal.dump(v)
  puts "dumped #{v.inspect}"
rescue TypeError => e
  puts e.message.sub(/0x\h+/, "0x…")
end
[[[[1]], 2], [1, nil], [1, 2, 3], [1, Object.new]].each do |arguments|
  Marshal.dump(*arguments)
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

puts "hostile"
[
  "", "x", "[\x06", "[\xFA", "{\xFA", "\"\xFA", "[\x04\xFF\xFF\xFF\x7F", "\"\x04\xFF\xFF\xFF\x7F", "l+\x04\xFF\xFF\xFF\x7F", "@\x06", "[\x06@\x07",
  ";\0", "o:\vString\0", "o:\fInteger\0", "C:\vString[\0", "C:\fInteger\"\0", "U:\vObject0", "u:\vObject\0", "e:\vStringe:\x0FEnumerable\"\0",
  "o:\bFoo\0", "o:\rFoo::Bar\0", "o:\vKernel\0", "m\vString", "M\vString", "S:\vString\0", "I[\0\x06:\x06ET", "I[\0\x06:\x06KT",
  "Ic\vString\x06:\x07@ai\0", "I:\x06\xFF\x06:\x06ET", "U:\rRational[\x07i\x06i\0", "U:\rRationali\x06", "o:\x0FEnumerator\0", "d:\vObject0",
  "f\x1A8323434.3420000002\0S\xF8", "/\x08\\ha\0", "Ii\x06\x06:\x07@ai\x06",
].each do |bytes|
  puts "#{bytes.b.inspect}: #{Marshal.load("\x04\b".b + bytes.b).inspect}"
rescue StandardError => e
  puts "#{bytes.b.inspect}: #{e.class}: #{e.message}"
end
["\x05\b0", "\x04\x090", ""].each do |bytes|
  Marshal.load(bytes)
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

puts "procs and frozen"
p Marshal.load(Marshal.dump([text, text, {a: 1.5, "k" => nil}, 1..2, Point.new("x", :y)]), ->(v) { p v })
frozen = Marshal.load(Marshal.dump([text, {a: "x"}, Object.new, String]), freeze: true)
p frozen.frozen?, frozen.map(&:frozen?), frozen[0].equal?(Marshal.load(Marshal.dump(text), freeze: true))

puts "streams"
stream = StringIO.new
p Marshal.dump([1, "two" * 5000, :three], stream).equal?(stream)
Marshal.dump({4 => 5}, stream)
stream.rewind
p Marshal.load(stream).map { |v| v.to_s.size }, Marshal.load(stream), stream.eof?
p (Marshal.load(stream) rescue $!)
p (Marshal.load(StringIO.new("\x04\b\"\ba")) rescue $!)

# Ruby 1.8 dumped these as objects with variables.
p Marshal.load("\x04\bo:\rRational\a:\x0F@numeratori\b:\x11@denominatori\t")
p Marshal.load("\x04\bo:\fComplex\a:\n@reali\x06:\v@imagei\a")
