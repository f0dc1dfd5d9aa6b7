# Writes a report as CSV, with fields that need quotes.
require "csv"
orders = Array.new(30_000) { |i| { id: i, customer: "Customer #{i % 100}",
    note: i % 3 == 0 ? "fragile, \"glass\"" : nil, total: i * 0.25 } }

text = CSV.generate do |csv|
  csv << orders.first.keys
  orders.each { |order| csv << order.values }
end
puts text.bytesize, text.lines.last, orders.first(2).map { |order| order.values.to_csv }.join
