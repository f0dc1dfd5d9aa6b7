# Strings: concatenation, slicing, search and comparison.
require_relative "harness"

measure(1_466_669, rounds: 6) do
  text = +""
  50_000.times { |number| text << "line " << number.to_s << (number % 3 == 0 ? "\n" : ", ") }
  words = text.split(/[ ,\n]+/)
  words.sum { |word| word.start_with?("line") ? 1 : word.size } + text.size + words.uniq.size +
    text.lines.map(&:strip).sum(&:size)
end
