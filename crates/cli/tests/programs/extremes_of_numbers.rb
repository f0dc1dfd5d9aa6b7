# `[a, b].min` and `[a, b].max`, which compare numbers without an Array.

def two(a, b) = [[a, b].min, [a, b].max]
def three(a, b, c) = [[a, b, c].min, [a, b, c].max]
def four(a, b, c, d) = [[a, b, c, d].min, [a, b, c, d].max]
def five(a, b, c, d, e) = [[a, b, c, d, e].min, [a, b, c, d, e].max]
def within(x) = [[x * 0.5, 1.5].max, 9.5].min + 1.0

def result
  yield
rescue => e
  e.class
end

VALUES = [0, -1, 0.0, -0.0, 1.5, 2**53 + 1, 2.0**53, 2**70, Float::INFINITY, 3r, "a", nil]

def check
  VALUES.product(VALUES) { |a, b| p [a, b, result { two(a, b) }] }
  p result { two(Float::NAN, 1.0) }, result { two(1.0, Float::NAN) }, result { two(1, Float::NAN) }
  p three(1, 2, 3), three(3.5, 1.5, 2.5), three(1, 2.5, 2), three("c", "a", "b"), result { three(1, 2, nil) }
  p four(4, 3, 2, 1), four(1.0, 4.0, 2.0, 8.0), four(1, 2, 3, 4.5), five(1, 5, 2, 4, 3)
  p within(1), within(7.0), within(40)
end

check
300.times { two(1, 2) && three(1, 2, 3) && four(1, 2, 3, 4) && within(3.0) }
check
300.times { two(1.5, 2.5) && three(1.5, 2.5, 3.5) && four(1.0, 2.0, 3.0, 4.0) && within(3.0) }
check

# The elements are computed once, in order.
def noted(x) = ($noted << x; x)
$noted = []
p [noted(3), noted(1), noted(2)].max, [noted("x"), noted("y")].min, $noted

class Float
  alias core_compare <=>
  def <=>(other) = other.core_compare(self)
end
p two(1.5, 2.5), three(1.5, 2.5, 3.5)
class Float
  alias <=> core_compare
end

class Array
  def max = "replaced"
end
p two(1, 2), three(1.5, 2.5, 3.5)
