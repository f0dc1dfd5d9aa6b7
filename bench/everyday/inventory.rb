# An inventory in hashes and arrays, using most methods of Enumerable.
random = Random.new(11)
stock = Array.new(50_000) { |i| { sku: "S#{i}", kind: %i[tool toy food book][i % 4],
    price: random.rand(1.0..90.0).round(2), count: random.rand(20) } }
index = stock.to_h { |item| [item[:sku], item] }
empty, full = stock.partition { |item| item[:count].zero? }
value = full.sum { |item| item[:price] * item[:count] }
cheap = full.min_by(3) { |item| item[:price] }.map { |item| item[:price] }
kinds = stock.each_with_object(Hash.new { |h, k| h[k] = [] }) { |item, h| h[item[:kind]] << item[:price] }
runs = stock.map { |item| item[:count] > 10 }.chunk { |x| x }.map { |big, items| big ? items.size : 0 }.max
names = stock.each_slice(1000).map { |page| page.filter_map { |item| item[:sku] if item[:price] > 89 } }.flatten
joined = stock.zip(stock.rotate).count { |a, b| a[:price] > b[:price] }
orders = 50_000.times.sum { |i| (item = index["S#{i * 17 % 60_000}"]) ? item.fetch(:count) : 0 }
puts empty.size, value.round(2), cheap.inspect, kinds.transform_values { |p| (p.sum / p.size).round(3) }.inspect, runs,
     names.size, joined,
     orders, stock.each_cons(2).count { |a, b| a[:count] == b[:count] }, stock.find_index { _1[:price] > 89.9 },
     stock.inject(0) { |sum, item| sum + item[:count] }, stock.flat_map { |i| [i[:count]] * 2 }.uniq.sort.last,
         stock.sum { _1[:count] },
     stock.none? { it[:count] > 30 }, stock.each_entry.first[:sku], stock.cycle.first(2).size,
         stock.group_by { _1[:kind] }.keys.inspect
