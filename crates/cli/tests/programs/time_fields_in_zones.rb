# The fields of Times and Time.local in zones whose clocks are set forward and back, before and after `TZ` changes.
ENV["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"

def fields(t) = [t.year, t.month, t.day, t.hour, t.min, t.sec, t.wday, t.yday]

# Each hour around the days on which clocks are set, read from the parts that it shows.
def wrong_hours(start)
  (0..96).count do |hour|
    t = start + hour * 3600
    again = Time.local(t.year, t.month, t.day, t.hour, t.min, t.sec)
    again != t && again.utc_offset == t.utc_offset
  end
end

200.times do
  fields(Time.at(1_711_846_800))
  Time.local(2024, 7, 1)
end
p fields(Time.at(1_711_846_799)), fields(Time.at(1_711_846_800))
p wrong_hours(Time.local(2024, 3, 29)), wrong_hours(Time.local(2024, 10, 25))
p Time.local(2024, 3, 31, 2, 30).utc_offset, Time.local(2024, 10, 27, 2, 30).utc_offset
p Time.local(0, 30, 2, 27, 10, 2024, nil, nil, true, nil).utc_offset

# A day that was asked for is forgotten with the zone.
before = Time.local(2024, 7, 1)
ENV["TZ"] = "XYZ+3:30"
p before.utc_offset, Time.local(2024, 7, 1).utc_offset, fields(before), Time.local(2024, 7, 1).zone

# Fractions finer than nanoseconds, fixed offsets, years that are large numbers, a time that is not initialized.
p fields(Time.at(Rational(1, 10**12), in: "+09:00")), fields(Time.at(-1, in: "UTC"))
p fields(Time.utc(10**30, 2, 29)), fields(Time.at(0, in: "-00:30"))
begin
  Time.allocate.year
rescue TypeError => e
  p e.message
end
