# Comparisons with literals, hot: first of Strings in all forms.
def equal(s) = s == "ab"
def equal_reversed(s) = "ab" == s
def different(s) = s != "ab"
def one(s) = s == "x" ? 1 : 2
def other(s) = s != "x" ? 1 : 2
def unless_equal(s)
  return :not unless s == "ab"
  :same
end
def empty(s) = s == ""
def eight(s) = s == "12345678"
def nine(s) = s == "123456789"
def beyond_ascii(s) = s == "ä"
def pattern(s)
  case s
  when "ab" then :ab
  when String, "x" then :string
  else :other
  end
end

class Text < String; end
class Odd < String
  def ==(other) = :odd
end
class Like
  def to_str = "ab"
  def ==(other) = other == "ab"
end

long = "x" * 100 + "ab"
grown = +""
2.times { |i| grown << "ab"[i] }
shrunk = ("ab" + "y" * 300).tap { |s| s.slice!(2..) }
values = [
  "ab", "ax", "a", "abc", "", "x", "y", "12345678", "12345679", "1234567", "123456789", "ä", "ab".b, "ä".b,
  "ab".encode("UTF-16LE"), "ab".encode("UTF-16BE"), "ab".encode("US-ASCII"), "ab".dup.force_encoding("UTF-16LE"),
  "x".encode("UTF-32LE"), "x\0", "ab\0", "\0ab", long[-2..], long, grown, shrunk, Text.new("ab"), Odd.new("ab"),
  Like.new, :ab, nil, 5, 1.5, ["ab"], "ab".freeze, "ab".dup.tap { |s| s.instance_variable_set(:@a, 1) },
]
ways = %i[equal equal_reversed different one other unless_equal empty eight nine beyond_ascii pattern]
warm = "ab".dup
ways.each do |way|
  caller = method(way)
  300.times { caller.call(warm) }
  p way => values.map { |s| caller.call(s) }
  300.times { values.each { |s| caller.call(s) } }
  p way => values.map { |s| caller.call(s) }
end

# An operator of the program may keep and change its operand.
class Keeper
  attr_reader :kept
  def ==(other) = (@kept = other) << "!"
  def !=(other) = (@kept = other) << "?"
  def <(other) = (@kept = other) << "<"
end
keeper = Keeper.new
def kept(keeper)
  texts = []
  texts << keeper.kept if keeper == "lit"
  texts << keeper.kept if keeper != "lit"
  texts << keeper.kept unless keeper < "lit"
  texts << keeper.kept while keeper == "lit" && texts.size < 4
  texts
end
p kept(keeper)
300.times { kept(keeper) }
p kept(keeper)

# nil, true, false and Symbols beside objects of all kinds.
def is_nil(v) = v == nil
def is_not_nil(v) = v != nil
def if_nil(v) = v == nil ? 1 : 2
def unless_nil(v) = v != nil ? 1 : 2
def is_true(v) = v == true
def if_symbol(v) = v == :a ? 1 : 2
def from_nil(v) = nil == v
class Anything
  def ==(other) = other.nil? ? :nothing : 5
end
class List < Array
  def ==(other) = :list
end
objects = [nil, true, false, :a, :b, 1, 2.5, 1e300, 2**70, "a", [], [nil], {}, {a: 1}, Object.new, Anything.new,
           List.new, Text.new("a"), Like.new, 1..2, Class, Struct.new(:a).new(1), Comparable, 3r, 2i, proc {}]
nil_ways = %i[is_nil is_not_nil if_nil unless_nil is_true if_symbol from_nil]
nil_ways.each do |way|
  caller = method(way)
  [nil, [], "a", {}, Object.new].each { |warm| 300.times { caller.call(warm) } }
  p way => objects.map { |v| caller.call(v) }
  200.times { objects.each { |v| caller.call(v) } }
  p way => objects.map { |v| caller.call(v) }
end
class NilClass
  def to_ary = []
  def to_str = "a"
end
p nil_ways.map { |way| [[], "a", {}].map { |v| method(way).call(v) } }
class Array
  def ==(other) = :array
end
p nil_ways.map { |way| [[], "a", {}].map { |v| method(way).call(v) } }
class NilClass
  def ==(other) = :own_nil
end
p nil_ways.map { |way| [[], "a", {}, nil].map { |v| method(way).call(v) } }

class String
  def ==(other) = :own
end
p ways.map { |way| method(way).call(warm) }
