# Fast paths of calls, yields, hashes and strings, each several times: cold and with filled caches. Recorded from CRuby
# 3.4. First: yields to blocks of fewer and more parameters than arguments, cold and hot.
def one = yield(1)
def two = yield(1, 2)
def none = yield
3.times do
  p [one { 0 }, one { |a| a }, one { |a, b| [a, b] }, two { 0 }, two { |a| a }, two { |a, b, c| [a, b, c] }, none { |a| a }, none { |a, b| [a, b] }]
end
def list = yield([3, 4])
3.times { p list { |a, b| [a, b] }, list { |a| a }, list { 5 } }
l = lambda { |a| a }
def give(&b) = [1].each(&b)
3.times { p give(&l) }
begin; two(&l); rescue ArgumentError => e; p e.message; end
pr = proc { |a, b| [a, b] }
3.times { p one(&pr), two(&pr), list(&pr) }
def kw(a, b: 2, c: 3) = [a, b, c]
def kr(a, b:, c: 3) = [a, b, c]
3.times { p kw(1, b: 5), kw(1, b: 5, c: 6), kw(1, c: 6, b: 5), kw(1), kw(1, c: 9), kr(1, b: 1), kr(1, c: 4, b: 1) }
begin; kr(1, c: 2); rescue ArgumentError => e; p e.message; end
begin; kw(1, d: 2); rescue ArgumentError => e; p e.message; end
begin; kr(1, b: 1, d: 2); rescue ArgumentError => e; p e.message; end
class MyHash < Hash; def initialize(*); super; self[:a] = 1; end; end
class MyString < String; end
3.times { p MyHash.new, MyHash.new(5)[:x], Hash.new(3)[1], Hash.new { |h, k| k * 2 }[4], MyString.new("abc"), Hash.new(capacity: 10) }
args = [7]
3.times { p Hash.new(*args)[0], MyString.new(*["x"]), String.new("a", capacity: 100) }
begin; Hash.new(capa: 1); rescue ArgumentError => e; p e.message; end
class Hash; def self.allocate = raise("no"); end
p Hash.new
a = "ä"; b = "b".encode("UTF-16LE")
begin; a + b; rescue => e; p e.class; end
begin; a << b; rescue => e; p e.class; end
p "" + "x".b, ("" + "x".b).encoding, ("a" + "é").encoding, ("a".b + "é").encoding
s = "abc".freeze
begin; s << "d"; rescue => e; p e.class; end
s = +"ab"; s << s; p s
class String; alias old_plus +; def +(o) = "plus"; end
p "a" + "b"
class String; alias + old_plus; end
p "a" + "b"
3.times { |i| p({a: 1, a: 2}) if i == 3; h = {1 => 2, 1.0 => 3, "x" => 4, nil => 5, [1] => 6}; p h, h["x"], h[[1]] }
p({1 => 2, 1 => 3}) rescue 0
k = 1; p({k => 2, 1 => 3, k => 4})

# Of Sets, while their `each` is their own.
numbers = Set[3, 1, 2]
p numbers.max, numbers.min, numbers.minmax, numbers.sum, numbers.sum(1), numbers.max(2), numbers.max { |a, b| b <=> a }
p Set[].max, Set[].sum, Set["b", "a"].min, Set[0.1, 0.2, 0.3].sum
class Set
  def each
    yield 9
  end
end
p numbers.max, numbers.sum
