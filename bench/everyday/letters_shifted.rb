# Simple ciphers: shifts, counts and reverses letters; processes characters one by one.
text = "The quick brown fox jumps over the lazy dog. Ça va? Grüße! " * 600
shifted = text.each_char.map { |c| c =~ /[a-z]/ ? ((c.ord - 97 + 3) % 26 + 97).chr : c }.join
turned = text.tr("A-Za-z", "N-ZA-Mn-za-m")
counts = text.downcase.chars.select { |c| c.match?(/[[:alpha:]]/) }.tally.sort_by { |c, n| [-n, c] }.first(3)
binary = text[0, 20_000].bytes.map { |byte| byte.to_s(2).rjust(8, "0") }.join
back = binary.scan(/.{8}/).map { |bits| bits.to_i(2) }.pack("C*").force_encoding("UTF-8")
vowels = text.count("aeiouAEIOU") + text.delete("^aeiou").size
puts shifted[0, 40], turned[0, 40], counts.inspect, binary.size, back == text[0, 20_000], vowels, text.squeeze.size,
     text.swapcase[0, 9]
