# Sorted arrays: binary searches, insertions, rotations, slices, runs.
random = Random.new(10)
sorted = []
20_000.times do
  value = random.rand(1_000_000)
  sorted.insert(sorted.bsearch_index { |x| x >= value } || sorted.size, value)
end
hits = (0...200_000).count { |i| (found = sorted.bsearch { |x| x >= i * 5 }) && found < i * 5 + 20 }
runs = sorted.map { |x| x / 1000 }.chunk_while { |a, b| b - a <= 1 }.map(&:size)
grouped = sorted.slice_when { |a, b| b - a > 120 }.count
windows = sorted.each_cons(5).map { |window| window.last - window.first }
flat = sorted.each_slice(7).to_a.map(&:reverse).flatten.rotate(3).each_with_index.map { |x, i| i.odd? ? -x : x }
puts sorted == sorted.sort, hits, runs.max, grouped, windows.minmax.inspect, flat.sum, (flat & sorted).size,
     (sorted - flat).size,
     sorted.values_at(0, -1).inspect, sorted.each_entry.with_index.find { |x, i| x > i * 60 }.inspect
