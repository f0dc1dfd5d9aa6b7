# After select and reject, entries can be found, deleted and added, for all sizes before and after; a key is copied only
# when it is new; a block destructures a pair from any source. The loops are long enough to be compiled.
def numbered(count) = (1..count).to_h { |i| [i, i.to_s] }

[0, 1, 7, 8, 9, 20, 300].each do |count|
  [0, 1, 4, 8, 9, 150, 300].each do |kept|
    some = numbered(count).select { |k, _| k <= kept }
    rest = numbered(count).reject { |k, _| k <= kept }
    both = numbered(count).select { |k, _| k % 2 == 0 }
    expected = [kept, count].min
    raise "#{count} #{kept}" unless some.size == expected && rest.size == count - expected
    raise "keys" unless some.keys == (1..expected).to_a && rest.keys == (expected + 1..count).to_a
    raise "found" unless some.all? { |k, v| some[k] == v } && rest.all? { |k, v| rest[k] == v }
    some[:new] = 1
    rest.delete(count)
    both[1] = "one"
    raise "changed" unless some[:new] == 1 && some.size == expected + 1 && !rest.key?(count)
    raise "both" unless both.keys == (1..count).select(&:even?) + [1]
  end
end

strings = %w[a b c d e f g h i j].to_h { |s| [s, 1] }
strings.select { |k, _| k > "h" }.tap { |h| p h, h["i"], h["a"] }
same = {}.compare_by_identity
3.times { same[+"x"] = _1 }
p same.select { |_, v| v > 0 }.then { |h| [h.values, h.compare_by_identity?, h["x"]] }
p Hash.new(5).update(a: 1).reject { false }[:b]

key = +"key"
h = {"key" => 0}
h[key] += 1
p h, h.keys[0].equal?(key), key.frozen?
h[key << "s"] = 2
key << "!"
p h, h.keys[1].frozen?
begin
  h.each { h[+"other"] = 1 }
rescue => e
  p e.message
end
h.each { h[+"key"] = 7 }
p h

class Word < String
  def eql?(other) = to_s[0] == other.to_s[0]
  def hash = raise
end
words = {}
words["ab"] = 1
words[Word.new("ab")] = 2
p words.size, %w[x y x].tally, ["x".b, "x", "é", "é".b].tally.size

def pairs(list)
  list.each { |pair| yield pair }
end

class Like
  def to_ary = [7, 8, 9]
end
200.times do |i|
  seen = []
  pairs([[1, 2], [3], [], [4, 5, 6], 9, nil, Like.new]) { |a, b| seen << [a, b] }
  pairs([[1, [2, 3]]]) { |a, (b, c)| seen << [a, b, c] }
  pairs([[1, 2, 3, 4]]) { |a, b, *c| seen << [a, b, c] }
  pairs([[1, 2]]) { |a, | seen << a }
  pairs([[1, 2]]) { seen << [_1, _2] }
  pairs([[1, 2]]) { |a| seen << a }
  p seen if i == 0 || i == 199
  begin
    pairs([[1, 2]], &lambda { |a, b| seen << 1 })
  rescue ArgumentError
    puts $!.message if i == 199
  end
end

a = [1, 2]
p a + [], [] + a, a + a, (a + [3] * 20).size
class Sub < Array; end
p (Sub.new([1]) + a).class, (a + Sub.new([1])).class
p [1].dup.push(2), Hash.new { 4 }.dup[0], {a: 1}.freeze.dup.update(b: 2), [1].freeze.dup.frozen?
class Array
  alias old_plus +
  def +(other) = :own
end
p a + a
class Array
  alias + old_plus
  def initialize_copy(other) = super.tap { push(:copied) }
end
p [1].dup

big = 10**30
[7, -7, 10**20, -(10**20), big, -big - 1, 1 << 127].each { |d| p [big / d, big % d, -big / d, -big % d] }
p((big / 0 rescue $!.class), (big % 0 rescue $!.class), big / 4.0, -(1 << 127) / -1)
