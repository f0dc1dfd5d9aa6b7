# What values are instances of, by case and by ===, in cold and hot code.
class A; end
class B < A; end
class S < String; end
VALUES = [1, 2**70, 1.5, 1e300, -0.0, :a, "x#{1}".to_sym, "s", S.new, [], {}, 1..2, /x/, nil, true, false, A.new, B.new, A, Kernel, proc {}, Object.new, 3r, 2i, (def m1; end; method(:m1))]
def kind(v)
  case v
  when Integer then :i
  when Float then :f
  when Symbol then :sym
  when String then :s
  when Array then :a
  when Hash then :h
  when Regexp then :r
  when Range then :range
  when Proc then :p
  when NilClass then :nil
  when B then :b
  when A then :A
  when Class then :class
  when Module then :mod
  when Comparable then :cmp
  when Numeric then :num
  else v.class
  end
end
60.times { VALUES.each { |v| kind(v) } }
p VALUES.map { |v| kind(v) }
def is(c, v) = c === v
60.times { VALUES.each { |v| is(A, v); is(String, v); is(Comparable, v) } }
p VALUES.map { |v| [is(A, v), is(String, v), is(Comparable, v), is(Integer, v)].map { |b| b ? 1 : 0 }.join }
class A; include Comparable; end
p VALUES.map { |v| kind(v) }, VALUES.count { |v| is(Comparable, v) }
def splat(v, list) = case v when *list then 1 else 2 end
60.times { splat(:b, [:a, :b]); splat(3, [1, "x", nil]) }
p splat(:b, [:a, :b]), splat(3, [1, 2]), splat("x", [1, "x"])
def String.===(o) = o == 7
p kind(7), kind("s"), is(String, 7)
