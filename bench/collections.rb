# Arrays and hashes: append, map, group, sort, look up.
require_relative "harness"

measure(16_243_913, rounds: 6) do
  numbers = Array.new(50_000) { |index| (index * 7919) % 10_007 }
  by_digit = numbers.group_by { |number| number % 10 }
  counts = Hash.new(0)
  numbers.each { |number| counts[number] += 1 }
  sorted = numbers.sort_by { |number| [-counts[number], number] }
  names = numbers.to_h { |number| ["n#{number}", number] }
  by_digit.sum { |digit, group| digit * group.size } + sorted.first(100).sum + names.values_at("n1", "n2", "n3").sum +
    numbers.map { |number| number * 2 }.select { |number| number % 3 == 0 }.max * 800 + names.size
end
