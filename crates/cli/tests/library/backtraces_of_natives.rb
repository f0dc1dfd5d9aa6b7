# Backtraces name the method that a program called, not the one that does the work.
require "date"
require "zlib"
[
  -> { Date.parse("x") }, -> { DateTime.strptime("x") }, -> { Date.iso8601("x") }, -> { Zlib.inflate("x") },
  -> { Zlib.deflate(nil) }, -> { Zlib::Inflate.inflate(nil) }, -> { Zlib::Deflate.deflate(nil) }
].each do |call|
  call.()
rescue => e
  puts "#{e.class} #{e.backtrace_locations[0].label}"
end
