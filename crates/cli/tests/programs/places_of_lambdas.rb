# A lambda begins at its brace or `do`, behind the parameters.
braces = ->(x,
            y = 2) {
  x
}
words = ->(
  x,
  y = raise("default")
) do
  x
end
p braces.source_location[1], words.source_location[1]
seen = []
TracePoint.new(:b_call) { |point| seen << point.lineno if point.path == __FILE__ }.enable { braces.(1) }
p seen
300.times { words.(1) rescue 0 }
begin
  words.(1)
rescue => error
  puts error.backtrace[0][/\d+:/]
end
begin
  words.()
rescue ArgumentError => error
  puts error.backtrace[0][/\d+:/]
end
