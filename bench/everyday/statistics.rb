# Sales grouped, summed, averaged; shares in percent.
random = Random.new(6)
sales = Array.new(100_000) { |i| { region: %w[n s e w][i % 4], product: "p#{random.rand(50)}",
    amount: random.rand(1..500) } }

regions = sales.group_by { |sale| sale[:region] }
totals = regions.transform_values { |rows| rows.sum { |row| row[:amount] } }
best = regions.map { |region, rows| [region, rows.group_by { |r| r[:product] }.max_by { |_, r| r.sum { |s|
  s[:amount] } }.first] }
all = totals.values.sum
shares = totals.to_h { |region, total| [region, (100.0 * total / all).round(2)] }
counts = sales.each_with_object(Hash.new(0)) { |sale, hash| hash[sale[:product]] += sale[:amount] }
large, small = sales.partition { |sale| sale[:amount] > 250 }
mean = all.fdiv(sales.size)
deviation = Math.sqrt(sales.sum { |sale| (sale[:amount] - mean)**2 } / sales.size)
puts shares.inspect, best.to_h.inspect, counts.minmax_by(&:last).inspect, large.size - small.size, deviation.round(6)
