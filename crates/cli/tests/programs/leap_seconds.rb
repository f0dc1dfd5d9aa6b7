# Zones that count leap seconds, as those in the folder "right" of the zone files do.
require "tempfile"

leaps = [78796800, 94694401]
counts = [0, 0, leaps.size, 0, 1, 4]
zone = Tempfile.create("zone")
zone.binmode
zone.write("TZif", "\0" * 16, counts.pack("N6"), [3600, 0, 0].pack("NCC"), "TST\0")
zone.write(leaps.each_with_index.map { |at, i| [at, i + 1].pack("NN") }.join)
zone.close

before = Time.utc(1972, 7, 1)
ENV["TZ"] = ":#{zone.path}"
p before.to_i
t = Time.utc(1972, 6, 30, 23, 59, 59)
3.times { |i| p t + i }
p (t + 1).sec, (t + 1).min, (t + 1).to_a, (t + 1).wday
p Time.utc(1972, 6, 30, 23, 59, 60) == t + 1
p Time.utc(1972, 7, 1) - t
p Time.local(1972, 7, 1, 0, 59, 60), Time.new(1972, 6, 30, 21, 59, 60, "-02:00")
p Time.local(1973, 1, 1, 1).to_i, Time.local(2000, 1, 1).to_i
p Marshal.load(Marshal.dump(t + 1)) == t + 1
ENV["TZ"] = "UTC"
p t, Time.utc(1972, 6, 30, 23, 59, 60)
File.unlink(zone.path)
