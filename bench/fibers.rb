# Fibers: finished at once, switched repeatedly, many alive at a time, and external enumeration.

require_relative "harness"

def ended(n)
  sum = 0
  n.times { |i| sum += Fiber.new { i }.resume }
  sum
end

def switched(n)
  counter = Fiber.new { |i| loop { i = Fiber.yield(i + 1) } }
  sum = 0
  n.times { sum = counter.resume(sum) }
  sum
end

def alive(n)
  fibers = Array.new(n) { |i| Fiber.new { Fiber.yield i; 1 } }
  fibers.sum(&:resume) + fibers.sum(&:resume)
end

def drawn(n)
  numbers = (1..).each
  sum = 0
  n.times { sum += numbers.next }
  sum
end

measure(19_999_900_000 + 1_000_000 + 12_502_500 + 45_000_150_000) do
  ended(200_000) + switched(1_000_000) + alive(5_000) + drawn(300_000)
end
