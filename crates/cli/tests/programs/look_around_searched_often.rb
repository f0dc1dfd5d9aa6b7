# Searches with look-around and atomic groups find the same the first time and after thousands of them.
patterns = [
  /(?=GET)/, /\B(?=(?:\d{3})+(?!\d))/, /(\d)(?=(\d{3})+$)/, /(?<=\$)\d+/, /(?<!\$)\b\d+/, /foo(?!bar)/,
  /\A(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}\z/, /(?>a+)b/, /"[^"]*+"/, /o+\Z/, /o\K\w+/, /\G\w/, /(?=(é|o).)\w+/,
  /(?<=[a-z])(?=[A-Z])/, /\A(?:(?!o ).)*o /, /(?<word>\w+)(?= (?<next>\w+))/, /(?<=é)\w|(?<!\w)f/,
]
texts = [
  "", "127.0.0.1 GET /index.html", "1234567890", "cost $42 or 17", "foobar foobaz", "Passw0rd123", "aaab",
  "say \"hello\" x", "foo\n", "someCamelCase", "été foo là", "naïve\nfoo bar", "xoo oo o",
]

def found(pattern, text)
  match = pattern.match(text)
  at = pattern.match(text, 2)
  [match && [match.begin(0), match.to_a], at && [at.begin(0), at.to_a], pattern.match?(text),
   text.gsub(pattern) { "<#{$&}>" }, text.scan(pattern), text.split(pattern), text.rindex(pattern),
   text.start_with?(pattern)]
end

patterns.each do |pattern|
  first = texts.map { |text| found(pattern, text) }
  200.times { texts.each { |text| found(pattern, text) } }
  later = texts.map { |text| found(pattern, text) }
  puts "#{pattern.inspect} #{first == later}"
  texts.zip(first) { |text, result| result[2] and puts "  #{text.inspect} #{result.inspect}" }
end

# Exponentially many ways to fail: the search goes on in linear time.
p(("a" * 60 + "b").match?(/(?!x)(?:a|a)*c/), ("a" * 60 + "b")[/(?!x)(?:a|a)*b(?=\z)/].size)
