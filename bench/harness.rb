# Times one program of this folder, after it has shown the right answer once.
#
# Prints `Total Runtime: Nus`, as are-we-fast-yet's harness does, so that both are read alike.

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
