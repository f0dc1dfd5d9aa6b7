# Formats timestamps in many ways, rounded to hours.
start = Time.utc(2026, 1, 1)
hours = Hash.new(0)
size = 0
60_000.times do |i|
  time = start + i * 97.5
  hours[time.strftime("%Y-%m-%d %H:00")] += 1
  size += time.strftime("%d/%b/%Y:%H:%M:%S %z").size + time.to_s.size
  size += Time.at(time.to_i - time.to_i % 3600).utc.hour
  size += time.year + time.yday if time.monday?
end
puts hours.size, size, hours.values.minmax.inspect
