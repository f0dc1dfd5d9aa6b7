# A condition with `!=` calls a `!=` of the program, also one that is defined after the condition has run.
class Own
  def !=(other) = :own
end

def differ(a, b) = a != b ? 1 : 2
def are_same(a, b) = (return 1 unless a != b; 2)
def differ_from_one(a) = a != 1 ? 1 : 2
def count(a)
  n = 0
  n += 1 while n != a
  n
end

check = lambda do
  results = 300.times.map do
    own = Own.new
    [differ(1, 2), differ("a", "b"), differ(:a, nil), differ(own, own), are_same(1, 2), differ_from_one(2), count(3)]
  end
  p results.uniq
end
check.()
class String
  def !=(other) = false
end
check.()
class Integer
  def !=(other) = false
end
check.()
module Kernel
  def !=(other) = other.nil?
end
check.()
