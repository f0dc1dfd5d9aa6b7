# Writes objects as JSON, compact and pretty.
require "json"
items = Array.new(5_000) do |i|
  { "id" => i, "title" => "Title \"#{i}\"\n", "price" => i / 8.0, "stock" => { "here" => i % 9, "there" => nil },
    "tags" => %w[x y zé], "flag" => i.odd? }
end

sizes = 12.times.map { |i| (i % 3 == 0 ? JSON.pretty_generate(items) : items.to_json).bytesize }
puts sizes.uniq.inspect, JSON.generate(items.first), { time: Time.at(0).utc, sym: :s }.to_json
