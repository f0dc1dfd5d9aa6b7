# Lazy infinite sequences: primes, squares, matching lines.
primes = (2..).lazy.select { |n| (2..Integer.sqrt(n)).none? { |d| (n % d).zero? } }
puts primes.reject { |n| n % 10 == 3 }.map { |n| n * 2 }.first(1_500).last
puts (1..Float::INFINITY).lazy.map { |n| n * n }.select(&:even?).reject { |n| n % 3 == 0 }.first(40_000).sum
lines = (1..80_000).lazy.map { |i| "line #{i}" }.with_index.select { |line, i| line.end_with?("7") && i.even? }
puts lines.map { |line, _| line }.take_while { |line| line.size < 11 }.to_a.size,
     (1..).each_slice(3).lazy.map(&:sum).first(20_000).last
