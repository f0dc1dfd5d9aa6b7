# Builds a fixed-width report from strings.
rows = Array.new(50_000) { |i| ["Item #{i % 500}", i % 17, (i % 1000) * 1.25] }
report = +"Report".center(60, "=") << "\n"
rows.each_with_index do |(name, count, price), i|
  report << name.ljust(30, ".") << count.to_s.rjust(6) << " x " << ("%.2f" % price).rjust(12) << "\n"
  report << "-" * 60 << "\n" if i % 20 == 19
end
report.concat("Total: ", rows.sum { |_, count, price| count * price }.round(2).to_s, "\n")
lines = report.lines.map(&:chomp).reject { |line| line.start_with?("-") }
puts report.size, lines.last, lines[1], lines.map(&:length).max, report.count("."), report.index("Item 499")
