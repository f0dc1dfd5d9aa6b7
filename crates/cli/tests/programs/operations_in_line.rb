# Methods that compiled code replaces by operations, in cold and hot code, before and after their assumptions change.

class Base
  def there = 1

  protected def guarded = 2

  private def hidden = 3
end

class Answering < Base
  def respond_to_missing?(name, _all) = name == :dynamic
end

def answers(x)
  names = [x.respond_to?(:there), x.respond_to?(:added), x.respond_to?(:guarded), x.respond_to?(:hidden)]
  names << x.respond_to?(:dynamic) << x.is_a?(Base) << x.is_a?(Answering) << x.is_a?(Comparable) << x.class
  names << x.equal?(x) << x.itself.equal?(x)
end

def integer(i, bit) = [i.abs, i.even?, i.odd?, i.zero?, i[bit]]
def bytes(s, at) = [s.getbyte(at), s.bytesize]
def arithmetic(a, b) = [a / b, a % b, a / 4, a % 4, a / 3, a % 3, a << (b & 63), a >> (b & 63)]

def numbers(n, f)
  [f**2, f.round(1), f.floor(1), Math.sqrt(f), 7.divmod(n + 1), n[0], [1, 2, 3, 4].first(n), [1, 2, 3].rotate(n),
   "abcdef"[n], "abcdef"[n, 2], "ab" * n, "x".ljust(n)]
end

def ends(a, b) = [(a..b).each { |i| break i if i > 3 }, (a...b).sum { |i| i }]

a, b = Base.new, Answering.new
200.times do |k|
  answers(a)
  answers(b)
  integer(k - 50, k % 70)
  bytes("hello" * (k % 90), k - 2)
  arithmetic(k - 50, 1 + k % 9)
  numbers(3, 2.5)
  ends(0, k)
end
p answers(a), answers(b)
class Base; def added = 4; end
p answers(a), answers(b)
class Base; undef there; end
p answers(a)
def a.dynamic = 5
p answers(a)

integers = [0, 1, -1, 5, -4, 100, -100, 2**61, 2**62 - 1, -2**62, 2**64, -2**70]
p integers.map { |i| [0, 1, 61, 62, 63, 64, 100, -1].map { |bit| integer(i, bit) } }
p integers.map { |i| [1, 2, 7, 63, 64, -1, -3].map { |n| arithmetic(i, n) } }
p ["", "abc", "a" * 300, "é" * 20].map { |s| [-400, -3, -1, 0, 1, 2, 39, 299, 300].map { |at| bytes(s, at) } }
p numbers(2, 1.25), numbers(0, 9.0)
p ends(2, 9), ends(9, 2)

[-> { numbers(0, "x") }, -> { bytes("abc", nil) }, -> { arithmetic(1, 0) }, -> { ends(1, "x") }].each do |call|
  call.()
rescue => e
  p e.class, e.backtrace[0][/in .*/]
end
one = Object.new
def one.to_int = 1
p bytes("abc", one)
