# Parses an access log with a regular expression with named groups.
random = Random.new(2)
lines = Array.new(60_000) do |i|
  "10.0.#{i % 256}.#{random.rand(256)} - - [22/Nov/2026:10:#{i % 60}:00 +0000] " \
    "\"#{%w[GET GET GET POST][i % 4]} /items/#{random.rand(500)}?page=#{i % 9} HTTP/1.1\" " \
    "#{[200, 200, 200, 304, 404, 500].sample(random:)} #{random.rand(90_000)} \"-\" \"Mozilla/5.0\""
end

LINE = /\A(?<ip>\S+)\ \S+\ \S+\ \[(?<time>[^\]]+)\]\ "(?<verb>[A-Z]+)\ (?<path>[^ ?]+)\S*\ [^"]*"
        \ (?<status>\d{3})\ (?<bytes>\d+)/x
bytes = Hash.new(0)
statuses = Hash.new(0)
lines.each do |line|
  next unless (m = LINE.match(line))
  bytes[m[:path]] += m[:bytes].to_i
  statuses[m[:status]] += 1 if m[:verb] == "GET"
end
puts statuses.sort.inspect, bytes.max_by { |path, sum| [sum, path] }.inspect
