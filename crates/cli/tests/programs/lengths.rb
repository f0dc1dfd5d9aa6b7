# length, size and empty? of Strings, Arrays and others at the same place, cold and in compiled code.
class Bag
  def initialize(items) = @items = items
  def fill = @items.size + @items.length + (@items.empty? ? 100 : 0)
  def none? = @items == nil
end

class Sized
  def size = 7
  def length = 8
  def empty? = true
end

class Text < String
  def size = -1
end

def bag_of(items) = Bag.new(items).fill
def none?(items) = Bag.new(items).none?
def chars(s) = [s.size, s.length, s.empty?, s.bytesize]

ascii, umlauts, broken, long = "abc", "äöü", "\xff", "x" * 300
300.times do |n|
  raise "ascii" unless chars(ascii) == [3, 3, false, 3]
  raise "list" unless bag_of([n]) == 2
  raise "none" if none?([n])
end
p chars(umlauts), chars(broken), chars(long), chars(""), chars(Text.new("ab")), chars(umlauts.encode("UTF-16LE"))
p bag_of([]), bag_of({ a: 1 }), bag_of("äö"), bag_of("ab"), bag_of(Sized.new), none?(nil), none?("nil"), none?(1)
300.times do
  raise "umlauts" unless chars(umlauts) == [3, 3, false, 6]
  raise "hash" unless bag_of({ a: 1 }) == 2
end
ascii << "ä"
p chars(ascii)
begin
  bag_of(nil)
rescue NoMethodError => e
  puts e.message
end

class String
  def size = 42
end

class Array
  def length = 43
end
p chars("abc"), bag_of([1])

class Array
  def ==(other) = other.nil?
end
p none?([1])
