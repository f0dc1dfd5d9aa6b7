# Parses timestamps: ISO 8601, HTTP, a custom format.
require "time"
total = 0
6_000.times do |i|
  total += Time.iso8601(format("2026-%02d-%02dT%02d:30:15Z", 1 + i % 12, 1 + i % 28, i % 24)).to_i
  total += Time.parse(format("2026-%02d-%02d %02d:30:15 +0200", 1 + i % 12, 1 + i % 28, i % 24)).to_i
  total += Time.strptime(format("%02d/Nov/2026:10:%02d:00 +0000", 1 + i % 28, i % 60), "%d/%b/%Y:%H:%M:%S %z").to_i
  total += Time.httpdate("Sun, 22 Nov 2026 10:#{10 + i % 50}:00 GMT").to_i
end
puts total, Time.at(1_700_000_000).utc.iso8601, Time.at(0).utc.httpdate, Time.at(0, 123_000).utc.xmlschema(3)
