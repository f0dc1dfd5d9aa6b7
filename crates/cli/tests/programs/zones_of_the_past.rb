# Times in the zone that was set when they were first shown, and in years beyond 2**62.
ENV['TZ'] = 'Europe/Berlin'
a = Time.at(0)
b = Time.at(0); b.zone; b.hour
ENV['TZ'] = 'America/New_York'
p a.zone, a.to_s, b.zone, b.to_s
p (a + 1).zone, (b+1).to_s
c = Time.local(2000, 1, 1)
p c.zone
ENV['TZ'] = 'Asia/Tokyo'
p c.zone, c.to_s, c.utc_offset
p c.dup.localtime.zone, c.strftime("%Z %z"), a.strftime("%Z %z")
p c.getlocal.zone
c.localtime
p c.to_s, c.zone
x = Time.now
ENV['TZ'] = 'UTC'
p x.zone
p Time.now.zone
ENV['TZ'] = nil
p x.zone, x.inspect == 1
p Time.at(0).zone
ENV['TZ'] = 'FOO-3BAR'
p Time.at(0).zone, Time.at(0).to_s,  Time.local(2000,7,1).zone
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
[2**31, 2**62, 2**63, 2**64].each { |y|
t { Time.utc(y).year }
t { Time.utc(y, 12, 31, 23, 59, 59).to_s }
t { Time.utc(y).to_i }
t { Time.new(y, 1, 1, 0, 0, 0, "+09:00").to_s }
t { Time.local(y).year }
t { Time.utc(y).yday }
t { Time.utc(y).wday }
t { Time.at(y).utc.to_s }
t { (Time.utc(y) + 1).to_s }
t { Time.utc(y).strftime("%Y %C %y %G %s %F") }
t { Time.utc(y).inspect }
t { Time.utc(y) <=> Time.utc(y+1) }
t { Time.utc(y + 1) - Time.utc(y) }
t { Marshal.load(Marshal.dump(Time.utc(y))).year}
}
t { Time.utc(1.5) .to_s}
m = Marshal.load(Marshal.dump(c))
p m.zone, (m + 1).zone, (m + 1).to_s, m.getlocal.to_s, m.dup.localtime.to_s, m.round.zone, Marshal.load(Marshal.dump(m)).to_s
