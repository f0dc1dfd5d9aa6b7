# Memory and time of threads: many short ones in sequence, many waiting ones at once, and several that write or pass
# lines on at once.

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

def processor_time = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

from = processor_time
writers = 8.times.map do
  Thread.new do
    File.open(File::NULL, "w") do |file|
      file.sync = true
      3_000.times { file.write("hello\n") }
    end
  end
end
writers.each(&:join)
puts "a write in one of 8 threads, processor time in µs\t#{((processor_time - from) / 24_000 * 1e6).round(2)}"

from = processor_time
readers = 12.times.map do
  reader, writer = IO.pipe
  writer.sync = true
  Thread.new { 1_000.times { |i| writer.write("line #{i}\n") }.then { writer.close } }
  Thread.new { reader.each_line.count }
end
raise "lines are missing" unless readers.sum(&:value) == 12_000
puts "a line from thread to thread, 12 pairs, processor time in µs\t#{((processor_time - from) / 12_000 * 1e6).round(2)}"
