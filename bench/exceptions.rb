# Exceptions raised through frames with ensure and rescued; throw and catch.
require_relative "harness"

class Refused < StandardError; end

def refuse(depth, log)
  raise Refused, "at the bottom" if depth == 0
  refuse(depth - 1, log)
ensure
  log[0] += 1
end

measure(240_000, rounds: 5) do
  log = [0]
  caught = 0
  20_000.times do
    refuse(10, log)
  rescue Refused
    caught += catch(:done) { throw :done, 1 }
  end
  log[0] + caught
end
