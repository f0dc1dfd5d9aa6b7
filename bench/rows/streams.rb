# Processor time of calls that write and read Strings of 16 MB, microseconds per call, and the peak memory of writing
# one of 256 MB: what copies cost.

require_relative "rows"
require "tempfile"

LONG = "x" * (1 << 24)

def microseconds(label, count = 10)
  yield
  times = Array.new(3) do
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_microsecond)
    count.times { yield }
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_microsecond) - start
  end
  figure(label, times.min / count)
end

File.open("/dev/null", "w") do |f|
  f.sync = true
  microseconds("write") { f.write(LONG) }
  microseconds("write of two") { f.write(LONG, LONG) }
  microseconds("puts") { f.puts(LONG) }
  microseconds("syswrite") { f.syswrite(LONG) }
  microseconds("pwrite") { f.pwrite(LONG, 0) }
end

Tempfile.create("long") do |f|
  f.binmode
  f.write(LONG)
  f.flush
  buffer = +""
  microseconds("read") { f.rewind; f.read(1 << 24) }
  microseconds("read of 1 MB", 100) { f.rewind; f.read(1 << 20) }
  microseconds("read into a buffer") { f.rewind; f.read(1 << 24, buffer) }
  microseconds("readpartial") { f.rewind; f.readpartial(1 << 24) }
  microseconds("sysread into a buffer") { f.sysseek(0); f.sysread(1 << 24, buffer) }
  microseconds("pread into a buffer") { f.pread(1 << 24, 0, buffer) }
  microseconds("copy_stream") { f.rewind; IO.copy_stream(f, "/dev/null") }
end

{ "lines of 300,000 bytes" => ["a" * 300_000 + "\n", 50], "lines of 50 bytes" => ["a" * 49 + "\n", 20_000],
  "paragraphs of 3,000 bytes" => [("a" * 49 + "\n") * 60 + "\n", 300] }.each do |label, (line, count)|
  Tempfile.create("lines") do |f|
    f.write(line * count)
    f.flush
    separator = label.start_with?("p") ? "" : "\n"
    microseconds(label) { File.foreach(f.path, separator) { } }
  end
end

code = 's = "x" * (1 << 28); File.open("/dev/null", "w") { |f| f.syswrite(s); f.write(s, s) }; ' \
       'puts File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]'
figure("peak of writing 256 MB, MB", IO.popen([RbConfig.ruby, "-e", code], &:read).to_i / 1024.0)
