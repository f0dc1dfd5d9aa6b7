# Operations on large Sets of numbers: intersection, union, difference, subsets.
require "set"
sums = [0, 0, 0, 0, 0]
12.times do |round|
  a = Set.new((1..40_000).map { |i| (i * 7 + round) % 60_000 })
  b = (1..40_000).map { |i| (i * 11) % 60_000 }.to_set
  sums[0] += (a & b).size
  sums[1] += (a | b).size
  sums[2] += (a - b).size
  sums[3] += (a ^ b).size
  sums[4] += b.subset?(a | b) && a.intersect?(b) ? 1 : 0
end
puts sums.inspect
