# Merges sorted streams with external enumerators, and with a hand-written generator.
streams = Array.new(6) { |i| (0...40_000).lazy.map { |n| n * (i + 2) }.each_entry }
heads = streams.map { |stream| stream.next }
merged = 0
100_000.times do
  i = heads.each_with_index.min_by { |head, _| head }.last
  merged = (merged * 31 + heads[i]) % 1_000_003
  heads[i] = streams[i].next
end
pages = Enumerator.new do |y|
  page = 0
  loop { y << "page #{page += 1}" }
end
names = 50_000.times.map { pages.next }
list = [1, 2, 3].each
total = 0
loop { total += list.next }
puts merged, names.last, total, pages.peek, [1, 2, 3].cycle.lazy.map { |x| x + 1 }.first(5).inspect
