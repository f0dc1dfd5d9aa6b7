# Roman numerals, numbers in words, FizzBuzz: small conversions many times.
ROMAN = { 1000 => "M", 900 => "CM", 500 => "D", 400 => "CD", 100 => "C", 90 => "XC", 50 => "L", 40 => "XL", 10 => "X",
    9 => "IX",
          5 => "V", 4 => "IV", 1 => "I" }.freeze
def roman(n) = ROMAN.reduce(+"") { |text, (value, letters)| text << letters * (n / value).tap { n %= value } }
def arabic(text) = text.scan(/CM|CD|XC|XL|IX|IV|./).sum { |letters| ROMAN.key(letters) }
ONES = %w[zero one two three four five six seven eight nine].freeze
def spoken(n) = n.digits.reverse.map { |digit| ONES[digit] }.join("-")
all = (1..3_999).map { |n| roman(n) }
same = all.each_with_index.all? { |text, i| arabic(text) == i + 1 }
fizz = (1..100_000).map { |i| i % 15 == 0 ? "FizzBuzz" : i % 5 == 0 ? "Buzz" : i % 3 == 0 ? "Fizz" : i.to_s }
puts all.last, same, all.map(&:size).max, fizz.tally.max_by(&:last).inspect, (1..30_000).sum { |n| spoken(n).size }
