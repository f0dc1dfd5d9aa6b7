# Recorded from CRuby 3.4.11 and 4.0.0: cases found with CRuby's own tests of Array, Hash and Enumerable.
none = {}
p [1, **none], [**none], [*[1], **none, 2 => 3], [**none, **none], [1, a: 1, **none]
p eval("[" + "{}," * 300 + "**{}]").size

p Array.new(3, &:itself).permutation.to_a, [1, 2, 3].permutation(2).to_a
p Array.new(100_000).permutation { break :at_once }

# Text in a nested array; recursive structures are detected.
text = Struct.new(:to_str).new("é")
p [text].join.encoding, [[], text].join
looping = Object.new
def looping.to_ary = [self]
begin
  [looping].join
rescue ArgumentError => error
  p error.message
end
puts looping

# A lambda spreads several values that were packed into one.
pair = ->(x, i) { (x + i).odd? }
numbers = [4, 5, 7].each_with_index
p numbers.find(&pair), numbers.select(&pair), numbers.reject(&pair), numbers.partition(&pair), numbers.group_by(&pair)
p numbers.min_by(&->(x, i) { -x * i }), numbers.sort_by(&->(x, i) { -i }), numbers.drop_while(&->(x, i) { x < 5 })
p [[1, 2], [3, 4]].to_h(&->(a, b) { [b, a] }), [1, 2].each.zip([3, 4], &->(a, b) { p a + b })
p numbers.find { |x| x == [5, 1] }, numbers.find(&->(x) { x == [7, 2] })

# $~ belongs to the block's method, whoever calls the block.
class Words
  include Enumerable
  def each = %w[bar baz].each { |word| yield word }
end
def groups
  found = []
  Words.new.grep(/(b.)/) { found << $1 }
  [found, Words.new.any?(/(z)/), $1]
end
p groups

# An object with the hash and equality of another is found as that one.
class Wrapper
  def initialize(object) = @object = object
  def hash = @object.hash
  def eql?(other) = @object.eql?(other)
end
p [5, nil, 0.5, :foo, "str", 2**70, 1r, [1], 1..2].map { |key| { key => 1 }[Wrapper.new(key)] }

begin
  [1, 2].inject(:instance_variables_set)
rescue NoMethodError => error
  p error.name
end
p "hello\xBE".start_with?("hello"), "\u{c4}".start_with?("\xC3")
p format("%f", 10**40), format("%.2f", 5015/1000r), format("%.30f", 0.1r)
now = Time.at(0)
p rand(now..now + 2).class, rand(1.5r..2.5r).class

# A `hash` that recurses to its own object; long keys in messages; a Hash and objects that convert to one.
node = Struct.new(:next) { def hash = [self.next, ""].hash }
first, second = node.new, node.new
first.next, second.next = second, first
p first.hash.class
begin
  {}.fetch("x" * 200)
rescue KeyError => error
  p error.message
end
like = Object.new
def like.to_hash = {}
def like.eql?(_) = true
p({}.eql?(like))

# Numbers of any size.
p 1**-1, (-1)**-3, (2**1024).fdiv(1.0e10), Complex(1, 0).then { |c| Complex(c).equal?(c) }
[-> { Complex("1", exception: 1) }, -> { Rational("1", exception: nil) }].each do |action|
  action.call
rescue ArgumentError => error
  p error.message
end

# The sizes of enumerators.
p (1..).each_slice(2).size, (1..).each_cons(2).size, 1.upto(Float::INFINITY).size, 1.downto(-Float::INFINITY).size
p Enumerator::Product.new(1.., []).size, Enumerator::Product.new(1.., 4..5).size, (..10).step(2).first
p (1..).overlap?("a"..), (1..).overlap?(5..), (..1).overlap?(..5)
pairs = Object.new
def pairs.each = yield(1, 2)
ahead = pairs.to_enum
ahead.peek << 3
p ahead.peek, ahead.next

# Reflection on Structs.
Keyed = Struct.new(:a, keyword_init: true)
p Keyed, Struct.new("Named", :a), Keyed.instance_method(:a=).parameters
p Process.clock_getres(:TIMES_BASED_CLOCK_MONOTONIC, :hertz)
