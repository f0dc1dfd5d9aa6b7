# Times one program of this directory, after checking its result once.
#
# Prints `Total Runtime: Nus`, the output format of are-we-fast-yet's harness.

def measure(expected, rounds: 1)
  result = yield
  unless result == expected
    warn "wrong answer: #{result.inspect} instead of #{expected.inspect}"
    exit 1
  end
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  rounds.times { yield }
  elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  puts "Total Runtime: #{(elapsed * 1_000_000).to_i}us"
end
