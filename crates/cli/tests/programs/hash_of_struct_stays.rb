# The hash of a Struct, a Data, a Set or a Hash stays the same when a member was used as a key itself.
class Key; end
Pair = Struct.new(:a, :b)
Point = Data.define(:x)

def check(key, label)
  holders = [Pair.new(key, 1), Point.new(key), { key => 1 }, { 1 => key }, Set[key], [key]]
  before = holders.map(&:hash)
  table = holders.to_h { |holder| [holder, true] }
  { key => 1 }.fetch(key)
  { Pair => 1, Point => 2 }.fetch(Pair)
  puts "#{label}: #{before == holders.map(&:hash)} #{holders.all? { |holder| table.key?(holder) }}"
end

check(Key.new, "object")
check(Key, "class")
check("text", "string")
check(:name, "symbol")
check(2**70, "big integer")
check(1.5, "float")
check([1, [2]], "array")
check(Pair.new(1, 2), "struct")

class Key
  def hash = 5
  def eql?(other) = true
end
check(Key.new, "own hash")
p Pair.new(Key.new, 1).hash == Pair.new(Key.new, 1).hash, Pair.new(1, 2).hash == Pair.new(1, 3).hash
recursive = Pair.new(1)
recursive.b = recursive
p recursive.hash == recursive.hash
Other = Struct.new(:a, :b)
p Pair.new(1, 2).hash == Other.new(1, 2).hash, Pair.new(1, 2).eql?(Other.new(1, 2))
