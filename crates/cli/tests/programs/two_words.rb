# Integers around one and two words, and Hash literals of many keys. Recorded from CRuby 4.1dev.
edges = [2**62, 2**63, 2**64, 2**126, 2**127, 2**128].flat_map { |n| [n - 1, n, n + 1, -n - 1, -n, -n + 1] } + [0, 1, -1]
def sums(a, b) = [a + b, a - b, a * b]
found = 3.times.map { edges.product(edges).map { |a, b| sums(a, b) } }
p found.uniq.size, found[0].flatten.sum, found[0].flatten.map(&:hash).uniq.size == found[0].flatten.uniq.size
p sums(2**127, 2**127), sums(-2**127, 1), sums(2**64, -2**64)
def many(i) = {a: i, b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, h: 7, i: 8, 9 => 9, nil => 10, a: 11, 1.5 => 12}
def words(i) = {a: i, b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, h: 7, i: 8, 9 => 9, nil => 10, :a => 11}
100.times { |i| many(i); words(i) }
p many(5), words(6).size, words(6)[9], words("x")[:h], words(1).merge(z: 0).keys.last
class Integer
  def +(o) = :redefined
end
p 2**70 + 1
