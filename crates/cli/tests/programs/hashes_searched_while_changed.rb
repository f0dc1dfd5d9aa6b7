# Keys whose `eql?` deletes and stores entries of the Hash that is being searched, and keys that come and go.
class Key
  attr_reader :name

  def initialize(name, &action) = (@name, @action = name, action)
  def hash = 7
  def eql?(other)
    action, @action = @action, nil
    action&.call
    name == other.name
  end
end

table = (0...40).to_h { |i| [i, i] }
old = Key.new("old")
table[old] = 1
# The entry that is compared is deleted, and one that equals the searched key is stored in its place.
searched = Key.new("new") do
  table.delete(old)
  table[Key.new("new")] = 2
end
table[searched] = 3
p table.keys.grep(Key).map(&:name).uniq, [2, 3].include?(table[Key.new("new")]), (0...40).all? { |i| table[i] == i }

# The searched key itself is stored meanwhile, behind and before entries that go.
many = (0...40).to_h { |i| [i, i] }
first, second = Key.new("first"), Key.new("second")
many[first] = 1
many[second] = 2
searched = Key.new("third") do
  many.delete(second)
  many.delete(first)
  many[Key.new("third")] = 4
end
many[searched] = 5
p many.keys.grep(Key).map(&:name).uniq, [4, 5].include?(many[Key.new("third")]), (0...40).all? { |i| many[i] == i }

cache = (0...100).to_h { |i| ["key #{i}", i] }
state = 1
20_000.times do
  state = (state * 1_103_515_245 + 12_345) % (1 << 31)
  key = "key #{state / 7 % 130}"
  value = cache.delete(key)
  cache[key] = value || state if state % 3 != 0
end
p cache.keys.uniq.size == cache.size, cache.all? { |key, value| cache[key] == value },
  (0...130).count { |i| cache.key?("key #{i}") } == cache.size

set = Set.new(0...50)
200.times { |i| set.delete(i % 60); set.add(i % 55) }
p set.size, set.to_a.sort == (0...55).to_a - [], (set ^ Set.new(40..60)).size, (set | [54, 55, 56]).size,
  (set & Set.new(50..70)).to_a.sort, (set - (0...52).to_set).to_a.sort, Set.new([3, 1, 3]).to_a,
  (Set.new([1, 2]) ^ [2, 3, 3]).to_a, Set.new((1..2000).map { |i| i % 3 }).to_a, set.to_set.equal?(set)
