# Prime numbers by a sieve, and factorization by the library.
require "prime"
limit = 1_000_000
sieve = Array.new(limit + 1, true)
sieve[0] = sieve[1] = false
2.upto(Integer.sqrt(limit)) { |i| (i * i).step(limit, i) { |j| sieve[j] = false } if sieve[i] }
primes = sieve.each_index.select { |i| sieve[i] }
factors = (1..4_000).sum { |n| n.prime_division.sum { |prime, power| prime * power } }
puts primes.size, primes.last, factors, Prime.first(4_000).last, Prime.each(30_000).sum, 97.prime?
