# Matches and times have cells without native memory; enumerators are created without blocks for their sizes.
matches = Array.new(2000) do |i|
  wide = i.odd?
  m = (wide ? /(\w)(\d)?(\d)?(\d)?(-)(.*)/ : /(\d+)-(.)?/).match("a#{i}-é" + "x" * (i % 50))
  [m, m.dup, i]
end
GC.start
GC.compact if GC.respond_to?(:compact)
p matches.all? { |m, copy, i| m == copy && m.hash == copy.hash && m.string == "a#{i}-é" + "x" * (i % 50) }
p matches[7][0].to_a, matches[7][0].offset(6), matches[8][0].to_a, matches[8][0].captures, matches[7][0].end(2)
p matches[8][0].frozen?, Marshal.load(Marshal.dump(Time.at(1, 5, :nsec).utc)).nsec
p Ractor.make_shareable(matches[7][0]).pre_match

times = Array.new(2000) { |i| Time.at(i * 100_000, i, :nsec).utc }
far = Time.at(1 << 70).utc
GC.start
p times.sum { |t| t.day + t.hour + t.nsec }, far.year, times.last.dup == times.last, (far - 1).sec
third = Time.at(Rational(1, 3))
GC.start
p third.subsec

ENV["TZ"] = "UTC"
local = Time.at(0)
p local.hour
ENV["TZ"] = "Asia/Tokyo"
p local.hour, Time.at(0).hour
ENV["TZ"] = nil

# Positions where a match begins but fails.
p "page=x page=y page=12"[/page=(\d+)/, 1], "a" * 20 + "b" =~ /a(a*)c/, ("page=" * 30 + "page=7")[/page=(\d)/, 1]
p "éa éb éc1"[/é(\w)(\d)/], "ab\nab1"[/^ab(\d)/, 1]

p [4, 5].each_with_index.size, 3.times.size, [1, 2].each_slice(2).size, {a: 1}.each.size, loop.size
p (1..4).each_entry.size, [1].each_with_object([]).size, "ab".each_char.size, (1..3).lazy.each_with_index.size
p [1, 2].each.with_index(1).to_a, [3, 1].each_entry.sort, (1..3).lazy.map { |x, y| [x, y] }.to_a
several = Enumerator.new { |y| y.yield 1, 2; y.yield; y << [3, 4] }
p several.lazy.map { |x, y| [x, y] }.to_a, several.lazy.select { true }.to_a, several.lazy.filter_map { |x| x }.to_a
p several.next, several.peek, several.next, several.next, (several.next rescue $!.class), several.size
p several.lazy.take(2).to_a, several.lazy.with_index.to_a, several.lazy.drop(1).to_a

x = "b"
same = Array.new(2) { /a#{x}/i }
p same[0] == same[1], same[0].equal?(same[1]), same[0].frozen?, /a#{x}/ == same[0], /a#{x}/n.encoding

pairs = [[5, 123], [5, -1], [-5, 1_500_000], [0, 2**61], [2**61, -1], [-2**61, 0], [2**62, 1], [1, 0.5], [1, 1r / 3]]
pairs.each do |pair|
  p %i[millisecond usec microsecond nsec nanosecond].map { |unit| Time.at(*pair, unit, in: "UTC").to_r }
  p Time.at(*pair).to_r
end
p((Time.at(1, 2, :second) rescue $!), (Time.at(1, nil, :nsec).to_r rescue $!), (Time.at("1", 2) rescue $!))
[Time.utc(2026, 1, 2, 3, 4, 5.5r), Time.new(-5, 12, 31, 23, 59, 59, "+05:30"), Time.at(1 << 70).utc].each do |time|
  p time.deconstruct_keys(nil), time.deconstruct_keys([:year, :zone, "day", :unknown, 1, :year])
  p time.deconstruct_keys([])
end
p (Time.now.deconstruct_keys(1) rescue $!)
p((Time.at(0).utc in { year: 1970, month: 1, sec: 0, dst: false, zone: "UTC" }))
