# Methods of the Ruby half with fast paths in Rust: both give the same result, and redefined methods are called.
# Recorded with CRuby 3.4.11.
def all(*values) = puts(values.map(&:inspect).join(" "))

def failing
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.message} #{e.backtrace_locations.first.label}"
end

all [3, 1, 2].max, [3, 1, 2].min, [].max, [3, 1, 2].max(2), [3, 1, 2].max { |a, b| b <=> a }, ["b", "a"].minmax
all [1, 2].sum, [1, 2].sum(0.5), ["a", "b"].sum(""), [1, 2].sum { |x| x * 3 }, [0.1, 0.2, 0.3].sum
all [nil, 1].any?, [nil].any?, ["x"].any?(String), ["x"].any?("x"), [1, 2].all?(1..2), [].all?, [nil].none?, [1].none?(2), [1].any? { |x| x > 1 }
all [1, 2, 1].count, [1, 2, 1].count(1), [1, 2, 1].count { |x| x > 1 }, [1, 2].inject(:+), [1, 2].reduce(3, :*), [1, 2].inject("+"), [].inject(:+)
all [1, 2].find_index(2), [1, 2].index(3), [1, 2].index { |x| x > 1 }, [1, 2].fill(0), [1, 2, 3].fill(0, 1), [1, 2].fill { |i| i }
all (1..5).min, (1...1).max, (1..5).minmax, (1...5).sum, (1..5).sum(2), (1..5).size, (1..5).count, (1..5).count(2), (1..).first, (..3).last, (1..5).first(2)
all (1..5) === 3.5, (1..5).cover?(2..3), ("a".."z") === "bb", ("a".."z").include?("bb"), (1..3).overlap?(3..5), (1...3).overlap?(3..5), (1.0..2.0).include?(2), (1..) === nil
all (2**62..2**62 + 2).max, (2**61..2**62).size, (1..2**62).sum == (1 + 2**62) * 2**61
all [1, 2].min_by { |x| -x }, [[1, 2], [0, 3]].max_by { |a, b| a + b }, [].min_by { 1 }, [1, 2, 3].max_by(2) { |x| x }
all %w[a b].each.with_index(1).to_a, %w[a b].map.with_index(2**62 - 1) { |x, i| i }, [5, 6].each_with_index.map { |x, i| x * i }

mixed = [1, "a"]
failing { mixed.max }
failing { mixed.max(1, 2) }
failing { [1, nil].sum }
failing { (1..).last }
failing { [1].freeze.fill(0) }
failing { (1..2).include?(1, 2) }

# The same call site with a direct Array, a Range, and a subclass with another `each`.
class Doubled < Array
  def each = super { |x| yield x * 2 }
end
[[1, 2], Doubled[1, 2], 1..2, Struct.new(:a, :b).new(1, 2)].each { |x| print x.inject(:+), " ", x.sum, " ", x.max, " ", x.min_by { |y| -y }, "\n" }

# Called by name, with a splat, with a block that is nil, as a method, and under a trace.
none = nil
all [1, 2].send(:max), [1, 2].max(*[]), [1, 2].max(&none), [1, 2].method(:max).call, [[1, 2], [3]].map(&:max), [1, 2].method(:max).arity
calls = []
TracePoint.new(:c_call) { |tp| calls << tp.method_id }.enable { [1, 2].max; (1..2).size }
all calls & %i[max size]

class Integer
  alias before <=>
  def <=>(other) = -before(other)
end
all [1, 3, 2].max, (1..3).max, (1..3) === 2
class Integer
  alias <=> before
end
class Array
  def max = :mine
end
class Range
  def size = :mine
end
all [1, 2].max, (1..2).size
def given? = defined?(yield) ? true : false
def opposite = !defined?(yield)
all given?, given? {}, opposite, opposite {}, [1].then { |_, a = 2| a }
