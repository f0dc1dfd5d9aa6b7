# Block calls, from core methods and from `yield` in a Ruby method.
require_relative "harness"

def twice
  yield 1
  yield 2
end

measure(212_750, rounds: 12) do
  sum = 0
  100_000.times { |number| twice { |step| sum += step if number.even? } }
  (1..500).each { |a| sum += (1..a).inject(0) { |total, b| b.odd? ? total + 1 : total } }
  sum
end
