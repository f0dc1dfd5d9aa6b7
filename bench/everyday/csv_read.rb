# Reads a CSV table and sums a column grouped by another.
require "csv"
rows = Array.new(8_000) { |i|
  "#{i},Item #{i % 97},\"Box, no. #{i % 13}\",#{(i * 37) % 1000 / 10.0},#{%w[north south east][i % 3]}" }
data = "id,name,place,price,region\n" + rows.join("\n") + "\n"

table = CSV.parse(data, headers: true)
sums = Hash.new(0.0)
table.each { |row| sums[row["region"]] += row["price"].to_f }
places = CSV.parse(data, headers: true, header_converters: :symbol, converters: :numeric).map { |row| row[:place] }
puts sums.transform_values { |sum| sum.round(2) }.inspect, places.uniq.size, CSV.parse_line('a,"b ""c""",d').inspect
