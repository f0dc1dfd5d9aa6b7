# Exact sums of fractions, complex numbers, numbers rounded and converted.
harmonic = (1..1_500).sum { |i| Rational(1, i) }
egyptian = (2..6_000).map { |n| Rational(n - 1, n) * 3r / 7 }.max
money = (1..40_000).reduce(0) { |sum, i| sum + "#{i}.07".to_r * Rational("1.19") }
complex = (1..60_000).sum { |i| Complex(i, -i) * Complex(0.5, 1) }
rounded = (1..100_000).sum { |i|
  (i / 7.0).round(2).floor(1) + i.divmod(7).last + i.fdiv(3).to_i + i.digits.size + i.clamp(5, 99) }
puts harmonic.denominator.to_s.size, egyptian, money.to_f, complex, 0.75.rationalize(1/100r), rounded.round(3),
     money.round(2).to_s
