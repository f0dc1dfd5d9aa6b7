# Returning visitors: one Set of names per day.
days = Array.new(30) { |day| Array.new(4_000) { |i| "visitor-#{(i * 13 + day * 101) % 5_000}" } }

seen = Set.new
returned = Set[]
per_day = days.map do |names|
  names.each { |name| returned << name unless seen.add?(name) }
  names.to_set.size
end
faithful = days.map(&:to_set).reduce(:&)
groups = seen.group_by { |name| name.size }.transform_values(&:size)
puts per_day.sum, returned.size, faithful.size, groups.inspect, seen.select { |name| name.end_with?("99") }.to_a.min
