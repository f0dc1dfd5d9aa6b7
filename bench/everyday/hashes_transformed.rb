# Nested hashes: keys to symbols, deep merge, dig, flattening, comparison.
def symbolize(value)
  case value
  when Hash then value.to_h { |key, inner| [key.to_sym, symbolize(inner)] }
  when Array then value.map { |inner| symbolize(inner) }
  else value
  end
end
def deep_merge(a, b) = a.merge(b) { |_, x, y| x.is_a?(Hash) && y.is_a?(Hash) ? deep_merge(x, y) : y }
def flat(hash, prefix = nil) = hash.flat_map { |k, v| v.is_a?(Hash) ? flat(v, "#{prefix}#{k}.") : [["#{prefix}#{k}",
    v]] }
sum = 0
merged = nil
8_000.times do |i|
  raw = { "id" => i, "user" => { "name" => "n#{i}", "roles" => %w[a b], "home" => { "city" => "c#{i % 9}",
      "zip" => i } }, "on" => true }
  merged = deep_merge(symbolize(raw), { user: { home: { zip: 0, land: "x" } }, on: false })
  sum += merged.dig(:user, :home, :city).size + flat(merged).size
  sum += merged.select { |_, v| v }.size + merged.reject { |k, _| k == :on }.keys.size + merged.any? { |_, v|
    v == i }.to_s.size
  sum += merged.transform_values(&:class).invert.size + merged.filter_map { |k, v| k if v }.size + merged.slice(:id,
      :on).size
  sum += merged.except(:user).sum { |_, v| v ? 1 : 0 } + merged.min_by { |k, _| k }.first.size + merged.sort_by { |k,
      _| k }.first[0].size
end
puts sum, merged.inspect, flat(merged).to_h == flat(merged.dup).to_h
