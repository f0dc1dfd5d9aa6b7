# Validates input: numbers, keys and ranges, by the exceptions that they raise.
inputs = Array.new(60_000) { |i| [i.to_s, "#{i}.5", "x#{i}", "", nil, "0x1f", "1_000"][i % 7] }
results = inputs.map do |input|
  Integer(input)
rescue ArgumentError
  Float(input, exception: false) || :text
rescue TypeError => error
  error.message
end
settings = { port: 80 }
missing = 30_000.times.count { |i| settings.fetch(i.even? ? :port : :host) && false rescue KeyError === $! }
zero = 20_000.times.sum { |i| (10 / (i % 4) rescue 0) }
puts results.map { |result| result.is_a?(Numeric) ? result.class : result }.tally.inspect, missing, zero
