# Local times long before a zone's first change have its local mean time. Recorded from CRuby 4.1dev.
%w[Europe/Berlin America/New_York Asia/Tokyo UTC].each do |zone|
  ENV["TZ"] = zone
  [Time.new(500, 6, 1), Time.new(-1, 7, 1), Time.at(-2**36), Time.new(1000, 6, 1), Time.new(-70000, 7, 1)].each do |time|
    p [time, time.zone, time.dst?, time.to_i]
  end
  p Time.new(9000, 7, 1), Time.new(70000, 1, 1)
end
ENV["TZ"] = "XST-1XDT,M3.5.0,M10.5.0/3"
p Time.new(500, 6, 1), Time.new(500, 1, 1)
