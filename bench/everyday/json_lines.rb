# Events, one JSON object per line: reads, changes and writes them.
require "json"
lines = Array.new(50_000) { |i|
  %({"event":"click","user":#{i % 900},"page":"/p/#{i % 77}","ms":#{i % 301 / 3.0},"ok":#{i % 5 > 0}}) }

output = +""
clicks = Hash.new(0)
lines.each do |line|
  event = JSON.parse(line, symbolize_names: true)
  next unless event[:ok]
  clicks[event[:page]] += 1
  output << JSON.generate(event.merge(ms: event[:ms].round)) << "\n"
end
puts output.bytesize, clicks.max_by(&:last).inspect, output.lines.last
