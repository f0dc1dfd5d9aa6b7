# Memory and time of threads: many short ones in sequence, and many waiting ones at once.

def resident = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i / 1024.0
def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)

from = clock
sum = 5_000.times.sum { |i| Thread.new { [i].first }.value }
raise "the sum is #{sum}" unless sum == 4_999 * 2_500
puts "a short thread, µs\t#{((clock - from) / 5_000 * 1e6).round(1)}"
puts "resident after 5,000 short threads, MB\t#{resident.round(1)}"

queue, threads = Queue.new, []
begin
  2_000.times { threads << Thread.new { queue.pop } }
rescue ThreadError
  # The system cannot start more threads.
end
puts "waiting threads\t#{threads.size}"
puts "resident with them, MB\t#{resident.round(1)}"
threads.size.times { |i| queue << i }
sum = threads.sum(&:value)
raise "the sum is #{sum}" unless sum == threads.size * (threads.size - 1) / 2
puts "resident after them, MB\t#{resident.round(1)}"
