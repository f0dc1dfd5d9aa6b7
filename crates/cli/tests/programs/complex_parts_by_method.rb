# Complex adds, subtracts and multiplies its parts by the methods of their classes. Recorded from CRuby 4.1dev.
class Rational
  def +(other) = 42
end

class Integer
  alias own_times *
  def *(other) = own_times(other).succ
end

p Complex(1r, 2r) + Complex(3r, 4r), Complex(1, 2) + Complex(3, 4)
p Complex(1, 2) * 3
p Complex(1.5, 2) - Complex(0.5, 1)
