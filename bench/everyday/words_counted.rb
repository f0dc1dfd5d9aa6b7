# The most frequent words of a text.
words = %w[the quick brown fox jumps over a lazy dog while ruby programs count words in long texts of many lines]
random = Random.new(1)
text = Array.new(40_000) { Array.new(10) { words.sample(random:) }.join(" ").capitalize + "." }.join("\n")

counts = Hash.new(0)
text.downcase.scan(/\w+/) { |word| counts[word] += 1 }
tally = text.split(/\W+/).map(&:downcase).tally
top = counts.sort_by { |word, count| [-count, word] }.first(5)
puts top.map { |word, count| "#{word}=#{count}" }.join(" "), counts == tally
