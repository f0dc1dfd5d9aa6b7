# sum with a block: of Integers, Floats, other numbers and other objects, in Arrays, Hashes and other collections.
inf, nan = Float::INFINITY, Float::NAN
LISTS = [
  [], [1, 2, 3], [1, 2**70, -2**70, 5], [0.1] * 10, [0.1, 0.2, 0.3, 3, 0.4], [3, 0.1, 0.2], [1e100, 1.0, -1e100],
  [1, 2r, 0.5], [1r/3, 1, 2], [0.1, 1r/3, 0.2], [1, 1e308, 1e308], [inf, -inf], [inf, inf, 1.0], [1.0, nan, 2.0],
  [nan, inf], [1.0, inf, -inf, 3], [2**1100, 0.5], [1.5, 2**1100], [1, 2i, 3], [0.5, 2i, 0.25], [1e20, 1, -1e20, 0.1],
  [-0.0, -0.0], [3.0, 5], [1, 1.5, 2**70, 1r/3]
]
class Each
  include Enumerable
  def initialize(list) = @list = list
  def each(&) = @list.each(&)
end
def raised
  yield.inspect
rescue => e
  "#{e.class}: #{e.message}"
end
def sums(list)
  pairs = list.each_with_index.to_h { |x, i| [i, x] }
  [raised { list.sum { |x| x } }, raised { list.sum(1) { |x| x } }, raised { list.sum(0.5) { |x| x } },
   raised { list.sum(1r/2) { |x| x } }, raised { Each.new(list).sum { |x| x } },
   raised { Each.new(list).sum(0.5) { |x| x } }, raised { Each.new(list).sum }, raised { pairs.sum { |k, v| v } },
   raised { pairs.sum(0.0) { |pair| pair[1] } },
   raised { list.sum }]
end
LISTS.each { |list| puts sums(list).join(" ") }
expected = LISTS.map { |list| sums(list) }
150.times { raise "hot" unless LISTS.map { |list| sums(list) } == expected }

p %w[a b].sum("") { |x| x + "." }, [[1], [2]].sum([]) { |x| x * 2 }
p raised { %w[a b].sum { |x| x } }, raised { [1, "a"].sum { |x| x } }, raised { [1.5, nil].sum { |x| x } }
p raised { Each.new([1.5, nil]).sum { |x| x } }, raised { { a: nil }.sum { |k, v| v } }
p (1..4).sum { |x| x * 0.5 }, (1..4).sum { |x| x }, { a: 1, b: 2 }.sum { |k, v| v }, { a: 1 }.sum([]) { |pair| pair }
p [1, 2, 3].sum { |x| next 5 if x == 2; x }, [1, 2].sum { break :out }
class Added
  def initialize(n) = @n = n
  attr_reader :n
  def +(other) = Added.new(n * 10 + (other.is_a?(Added) ? other.n : other))
  def coerce(other) = [Added.new(other), self]
end
p [1, 2, Added.new(3), 4, 5.5].sum { |x| x }.n, [1.5, Added.new(3), 4].sum { |x| x }.n
p [Added.new(1), 2].sum(Added.new(7)) { |x| x }.n, Each.new([1, Added.new(3), 4]).sum { |x| x }.n

# The block may change the Array.
list = [1, 2, 3]
p list.sum { |x| list << x + 3 if list.size < 6; x }
list = [1, 2, 3, 4]
p list.sum { |x| list.pop if x == 1; x }

# Integers and Floats are added without the program's methods.
class Integer
  def +(_) = raise("Integer#+")
end
class Float
  def +(_) = raise("Float#+")
  def abs = raise("Float#abs")
end
def quiet = [[1, 2].sum { |x| x }, [1, 0.5].sum { |x| x }, [0.5, 1].sum { |x| x }, Each.new([1, 0.5]).sum { |x| x }]
p quiet
100.times { quiet }
