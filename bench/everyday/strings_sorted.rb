# Sorts file names in natural order, and words ignoring case.
random = Random.new(5)
names = Array.new(30_000) { |i| "#{%w[chapter Image part][i % 3]}#{random.rand(3_000)}-#{i % 10}.txt" }

natural = names.sort_by { |name| name.scan(/\d+|\D+/).map { |part| part =~ /\A\d/ ? [0, part.to_i] : [1, part] } }
folded = names.sort_by(&:downcase)
exact = names.sort { |a, b| a.casecmp(b) }
puts natural.first(3).inspect, natural.last, folded.first, names.sort.last, exact.first, names.uniq.sort.reverse.first
