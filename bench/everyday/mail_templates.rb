# Fills placeholders of a letter template with gsub, with a block and with a Hash.
template = <<~TEXT * 2
  Dear {{title}} {{name}},
  your order {{order}} of {{date}} left us. It weighs {{weight}} kg.
  {{missing}}
TEXT
html = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;" }
size = 0
last = nil
40_000.times do |i|
  values = { title: i.even? ? "Ms" : "Mr", name: "<N#{i}>", order: i, date: "2026-11-22", weight: i / 10.0 }
  letter = template.gsub(/\{\{(\w+)\}\}/) { values.fetch($1.to_sym, "") }
  last = letter.gsub(/[&<>"]/, html)
  size += last.bytesize
end
puts size, last
