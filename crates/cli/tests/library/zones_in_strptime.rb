# Names of zones in Date._strptime, with what may follow them; and what Pathname#root? looks at. Recorded from CRuby
# 4.1dev.
require "time"
require "date"
require "pathname"

ZONES = ["UTC", "utc", "Z", "EST", "JST", "Foo", "gmt+9", "UTC-03:30", "EST5EDT", "est dst", "Eastern Standard Time",
  "Eastern Daylight  Time", "E. Australia Standard Time", "UTC ", "UTC  2001", "UTC x", "UTC dst", "CET.", "CET,", "UTC_",
  "PST8", "PST 8", "A.D.", "+9", "-0330", "", " ", "1UTC", "z/", "MST (x)"]

def zones
  ZONES.each do |zone|
    p [zone, Date._strptime(zone, "%z"), Date._strptime("2001 #{zone}", "%Y %Z"), Date._strptime("#{zone} 2001", "%z %Y")]
  end
  p Date._strptime("Sat Feb  3 20:15:21 UTC 2001", "%a %b %d %H:%M:%S %Z %Y"), DateTime.strptime("3 JST", "%d %Z").offset
  p Time.strptime("20010203 UTC", "%Y%m%d %z"), Time.strptime("20010203 EST", "%Y%m%d %z").utc_offset
  p Date._parse("2001-02-03 04:05:06 EST"), Date._parse("2001-02-03 04:05:06 Eastern Daylight Time")
end

def roots
  paths = ["/", "//", "///", "/a", "a/", "/a/", "", ".", "/.", "/..", "/\n", "\n/", "/\xff", "/\xff/", " /"]
  p paths.map { |path| Pathname(path).root? }
end

[:zones, :roots].each do |name|
  send(name)
  output, $stdout = $stdout, File.open(File::NULL, "w")
  150.times { send(name) }
  $stdout = output
  send(name)
end
