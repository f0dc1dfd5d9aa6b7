# Formats numbers: thousands separators, file sizes, percentages, hexadecimal tables.
def delimited(number) = number.to_s.reverse.scan(/\d{1,3}/).join(",").reverse
def thousands(number) = number.to_s.gsub(/(\d)(?=(\d{3})+\z)/, '\1,')
def human(bytes)
  unit = %w[B kB MB GB].each { |name| bytes < 1024 ? (break name) : bytes /= 1024.0 }
  unit.is_a?(String) ? format("%.1f %s", bytes, unit) : "huge"
end
size = 0
last = nil
50_000.times do |i|
  n = i * 7919
  last = [delimited(n), thousands(n), human(n), format("%08x|%-10s|%+.3e|%5.1f%%", n, i, n, i / 500.0),
      n.to_s(2)].join(" ")
  size += last.size
end
puts size, last
