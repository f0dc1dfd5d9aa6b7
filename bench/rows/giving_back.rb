# How much memory returns to the system after a peak, and how much a slice or a collection in a forked child keeps.

require_relative "rows"

long_lived = Array.new(1_000_000) { |i| "long-lived, of some thirty bytes: #{i}" }
GC.start
before = resident_megabytes
figure "resident before, MB", before
peak = Array.new(6_000_000) { |i| ["short-lived #{i}", i] }
figure "resident at the peak, MB", resident_megabytes
peak = nil
4.times { GC.start }
figure "resident after / before", resident_megabytes / before

slices = Array.new(1_000) { |i| ("x" * 2_000_000)[i, 40] }
4.times { GC.start }
figure "resident after 1,000 small slices of 2 MB strings / before", resident_megabytes / before

reader, writer = IO.pipe
resident = resident_megabytes
fork do
  private_megabytes = -> { File.read("/proc/self/smaps_rollup")[/Private_Dirty:\s+(\d+)/, 1].to_i * 1024 / 1e6 }
  before = private_megabytes.call
  GC.start
  writer.puts private_megabytes.call - before
end
Process.wait
figure "made private by a collection in a child / resident", reader.gets.to_f / resident
raise unless long_lived.size + slices.size == 1_001_000
