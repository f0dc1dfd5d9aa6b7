# Methods of Enumerable whose block takes a pair as two values: of Hashes, and of other collections that yield arrays,
# several values or a single one.
class Yields
  include Enumerable
  def each
    yield [1, 2]
    yield 3, 4
    yield 5, 6, 7
    yield 8
    yield [9]
    yield nil
    yield
    self
  end
end
TABLE = { a: 1, b: nil, c: 3 }
STRUCT = Struct.new(:x, :y).new([1, 2], [3, 4])
def raised
  yield.inspect
rescue => e
  "#{e.class}: #{e.message}"
end
def results(of)
  [raised { of.all? { |k, v| v } }, raised { of.any? { |k, v| v } }, raised { of.none? { |k, v| v } },
   raised { of.one? { |k, v| v == 3 } }, raised { of.count { |k, v| v } }, raised { of.find { |k, v| v == 3 } },
   raised { of.find_index { |k, v| v == 3 } }, raised { of.filter_map { |k, v| [v, k] if v } },
   raised { of.flat_map { |k, v| [k, v] } }, raised { of.detect { |k, v| false } },
   raised { of.all? { |k, (v, w)| k } }, raised { of.count { |k, v = 5| v } }, raised { of.filter_map { |k, *v| v } },
   raised { of.all? { |pair| pair } }, raised { of.find { |pair| pair } }, raised { of.count { |k,| k } },
   raised { of.filter_map { |a, b, c| c } }, raised { of.flat_map { [_1, _2] } }, raised { of.count { |k, v, &b| v } },
   raised { of.find(-> { :none }) { |k, v| v == 99 } }]
end
def lambdas(of)
  [raised { of.all?(&->(k, v) { v }) }, raised { of.count(&->(k, v) { v }) },
   raised { of.filter_map(&->(k, v) { v }) }, raised { of.any?(&->(k) { k }) }]
end
[TABLE, Yields.new, STRUCT, [[1, 2], [3, 4]]].each { |of| puts results(of), lambdas(of) }
expected = [TABLE, Yields.new, STRUCT].map { |of| results(of) + lambdas(of) }
120.times { raise "hot" unless [TABLE, Yields.new, STRUCT].map { |of| results(of) + lambdas(of) } == expected }

# A Hash cannot get keys while it is iterated, and an `each` of the program is used.
table = { a: 1 }
p raised { table.find { |k, v| table[:z] = 1 } }, raised { table.all? { |k, v| table[:z] = 1 } }
class Other < Hash
  def each
    yield [:own, 1]
    yield :two, 2
  end
end
own = Other.new
p own.find { |k, v| v == 2 }, own.all? { |k, v| v }, own.sum { |k, v| v }, own.count { |k, v| v == 1 }
pair = { a: 1 }.find { |k, v| v }
pair << 2
p pair, { a: 1 }.find { |k, v| break k }
