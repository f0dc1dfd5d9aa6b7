# Large integers: a factorial, its digits, powers of two, a Fibonacci number.
factorial = (1..3_000).inject(:*)
digits = factorial.to_s
powers = (1..1_200).sum { |i| (2**i).to_s.count("7") }
a, b = 0, 1
20_000.times { a, b = b, a + b }
roots = (1..2_000).map { |i| Integer.sqrt(10**60 + i) }.last
puts digits.size, digits.chars.sum(&:to_i), powers, a.to_s.size, a.to_s[0, 20], roots,
     (factorial / 10**8_000).to_s.size,
     digits.to_i == factorial, (3**4_000).digits.sum
