# Array#values_at with ranges inside, at and beyond the end; the result is an Array of its own.
a = [1, 2, 3, 4, 5]
[
  [0..2], [1..], [..2], [3..9], [7..9], [5..6], [-2..], [-2..9], [2...4], [2..1], [0..2, 4, 1..2], [9, 0..1],
  [0, 0..7, -1, -9], [nil..nil], [4..-1], [0...-1], [5..], [6..], [3..-3], [-7..2], [7..9, 0..1], [2..1, 0]
].each { |selectors| p selectors, (a.values_at(*selectors) rescue [$!.class, $!.message]) }

b = (1..300).to_a
c = b.values_at(10..200)
c[0] = :x
b[11] = :y
c << 1
p b[10], c.size, c.first(3), b.size, b.values_at(290..310).compact.size, b.values_at(0..299).equal?(b)
b.freeze
p b.values_at(0..299).frozen?

class Clearing
  def initialize(list) = (@list = list)
  def to_int = (@list.clear; 3)
end
d = [1, 2, 3, 4]
p d.values_at(Clearing.new(d), 0)

class Special < Array
end
p Special[1, 2, 3].values_at(0..1).class, Special.new(b).values_at(0..200).class
