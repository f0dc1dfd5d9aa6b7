# Floats and long Integers as text: rounded by their shortest digits, exactly, and in pieces.
200.times { format("%.3e %g %.2f %x", 12345.678, 0.1, 1e300, -255) }
numbers = [0.0, 1.5, 9.9996, 12345.678, 2.675, 0.00012345, 999_999.5, 1e22, 1e300, 5e-324, 2.2250738585072014e-308]
numbers.each { |n| puts [0, 3, 6, 14, 15, 20].map { |places| format("%.*e %.*g %#.*g", places, n, places, n, places, -n) } }
puts numbers.map { |n| format("%+012.1f|%-30.0f|%.3f", n, -n, n)[0, 80] }
p format("%x %o %b %X %+x %#b %08x", 255, 8, 5, -1, -255, 0, 48_879), format("%x %b", 2**70, -2**65)
p [20, 38, 57, 100, 912, 913, 2000].all? { |count| (10**count).to_s == "1" + "0" * count && (10**count - 1).to_s == "9" * count }
p (-7**2000).to_s.hash == ("-" + (7**2000).to_s).hash, (3**5000).digits.sum, (3**5000).to_s.sum
a, b = 3**500, 7**300
p a / b, a % b == a, -a / b, -a % b == b - a, a.divmod(-b) == [-1, a - b], a.remainder(b) == a, b.div(a), 0 / b, -a.fdiv(b)
p (2**512 - 1) + 1 == 2**512, 2**640 - 2**640, (2**640 + 1) - 2**640, (1 - 2**2600).bit_length, a + b - b == a
