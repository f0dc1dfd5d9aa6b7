# Rows of a label, a tab and a figure, in the format that the programs of this folder print.

CLOCK = Process::CLOCK_MONOTONIC

def figure(label, number) = puts("#{label}\t#{number.round(3)}")

def seconds
  start = Process.clock_gettime(CLOCK)
  yield
  Process.clock_gettime(CLOCK) - start
end

# Nanoseconds per iteration of `source`, which `count.times` runs: the best of three runs. `setup` defines the variables
# that the source uses besides `i` and `x`. The cost of the loop itself is included.
def nanoseconds(label, source, count: 3_000_000, setup: "")
  run = eval("-> { x = nil; #{setup}; #{count}.times { |i| #{source} } }")
  best = Array.new(3) { GC.start; seconds(&run) }.min
  figure(label, best * 1e9 / count)
end

def resident_megabytes = File.read("/proc/self/statm").split[1].to_i * 4096 / 1e6
