# Method calls: recursion with small integers.
require_relative "harness"

def fib(n)
  n < 2 ? n : fib(n - 1) + fib(n - 2)
end

measure(832_040, rounds: 4) { fib(30) }
