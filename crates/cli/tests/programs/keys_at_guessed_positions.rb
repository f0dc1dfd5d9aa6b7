# `hash[:key]` and `hash["key"]` of Hashes that have the key at different positions, in code that runs often.
class Holder
  def initialize(table) = @table = table
  def symbol = @table[:b]
  def string = @table["b"]
  def set(v) = @table[:b] = v
  def set_string(v) = @table["b"] = v
end

many = ("c".."z").to_h { |name| [name.to_sym, name] }
tables = [
  { a: 1, b: 2, "a" => 1, "b" => 3 }, { b: 4 }, { "b" => 5 }, {}, many.merge(b: 6, "b" => 7), Hash.new(8),
  Hash.new { |_, key| key }, { b: nil, "b" => false }, { a: 1, b: 2 }.compare_by_identity,
]
tables.last["b"] = 9
deleted = { a: 1, b: 2, "b" => 3 }
deleted.delete(:a)
deleted.delete(:b)
tables << deleted
holders = tables.map { |table| Holder.new(table) }
200.times { |i| holders[i % holders.size].then { |holder| holder.symbol; holder.string } }
p holders.map { |holder| [holder.symbol, holder.string] }
300.times do |i|
  holders[i % holders.size].set(i)
  holders[i % holders.size].set_string(i.to_s)
end
p tables.map { |table| table.slice(:a, :b, "b") }
p tables.map(&:size).sum - many.size
begin
  Holder.new({ b: 1 }.freeze).set(1)
rescue => e
  p e.class
end
class Hash
  def [](key) = "redefined"
end
p holders.first.symbol, holders.first.string
