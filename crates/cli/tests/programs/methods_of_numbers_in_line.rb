# Methods of numbers that compiled code executes in line, with results inside and outside of what it can represent.

def whole(x) = [x.to_i, x.truncate, x.floor, x.ceil, x.round]
def size(x) = x.abs
def float(x) = x.to_f
def root(x) = Math.sqrt(x)
def neighbours(x) = [x.pred, x.succ, x.next]

def result
  yield
rescue FloatDomainError, Math::DomainError, TypeError => e
  e.class
end

200.times do
  whole(2.5)
  whole(3)
  size(-2.5)
  size(-3)
  float(7)
  root(2.0)
  neighbours(5)
end

FLOATS = [
  0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999999999999994, -0.49999999999999994, 1e-300, 5e-324,
  4503599627370497.5, -4503599627370497.5, 9007199254740993.0, 4.611686018427387e18, 4.611686018427388e18,
  -4.611686018427387e18, -4.611686018427388e18, 4.7e18, 1e300, -1e300, Float::INFINITY, -Float::INFINITY, Float::NAN
]
INTEGERS = [0, 1, -1, 2**62 - 1, -2**62, 2**62, 2**64, -2**70]
FLOATS.each { |x| p [x, result { whole(x) }, result { size(x) }, result { root(x) }] }
INTEGERS.each { |n| p [n, whole(n), size(n), float(n), result { root(n) }, neighbours(n)] }
p result { root("1") }, root(4r), root(2**100)

# The results are doubles that are used at once, and values that leave the method.
def mean(list) = list.sum { |n| n.to_f.abs } / list.size
def distance(a, b) = Math.sqrt((a - b).abs).round
300.times { mean([1, -2, 3]) && distance(1.5, 9.5) }
p mean([1, -2, 3]), distance(1.5, 26.5), distance(0.0, 1e40)

class Float
  def floor(*) = "changed"
end
p whole(2.5)
