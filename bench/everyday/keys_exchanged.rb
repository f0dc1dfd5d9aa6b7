# Key exchange and primality tests with modular powers.
def probably_prime?(n)
  return n == 2 if n.even?
  d = n - 1
  r = 0
  (d >>= 1; r += 1) while d.even?
  [2, 3, 5, 7, 11, 13].all? do |base|
    x = base.pow(d, n)
    x == 1 || x == n - 1 || (r - 1).times.any? { (x = x * x % n) == n - 1 }
  end
end
prime = 2**521 - 1
shared = (1..60).map { |i| 3.pow(prime / 3 + i, prime).pow(i + 2, prime) }
even = (1..60).map { |i| 7.pow(2**500 + i, 2**512 + 10) }
found = (10**40..10**40 + 600).select { |n| n.odd? && probably_prime?(n) }.size
puts shared.sum % 1_000_003, even.sum % 1_000_003, found, (2..20_000).count { |n| n.gcd(30_030) == 1 }
