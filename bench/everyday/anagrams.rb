# Finds anagrams, palindromes, and words that can be built from given letters.
random = Random.new(8)
words = Array.new(60_000) { Array.new(3 + random.rand(4)) { "aeinrst"[random.rand(7)] }.join }
groups = words.uniq.group_by { |word| word.chars.sort.join }
largest = groups.values.max_by { |group| [group.size, group.first] }.sort
palindromes = words.select { |word| word == word.reverse }.uniq.size
letters = "tresinas".chars.tally
possible = words.uniq.count { |word| word.each_char.tally.all? { |c, n| letters.fetch(c, 0) >= n } }
puts groups.size, largest.first(4).inspect, palindromes, possible, words.map(&:size).tally.sort.to_h.inspect
