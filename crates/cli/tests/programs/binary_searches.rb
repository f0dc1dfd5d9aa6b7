# Regexps in binary text, often enough that an automaton takes over. Recorded from CRuby 4.1dev.
require "strscan"

text = "\xE9\xFFab \xC0K\n^\x80".b
patterns = [/\w+/, /\W/n, /[^a-z]+/n, /[\x80-\xc8]/n, /\xE9(.)/n, /k./i, /x*/n, /(a)|(\xC0)/n, /\b./, /^./, /.\z/]
results = patterns.map do |pattern|
  found = nil
  1100.times { found = text.scan(pattern) }
  found
end
patterns.zip(results) { |pattern, found| p [pattern, found] }

2.times do |round|
  scanner = StringScanner.new(text, fixed_anchor: round == 1)
  1100.times do
    scanner.reset
    scanner.skip(/\xE9/n)
  end
  p scanner.scan(/^\xFF/n), scanner.scan(/(\xFF)?(a)b\s/n), scanner[1], scanner.pos
  p scanner.scan(/\A./), scanner.scan_until(/\n(?=\^)/)
end

joined = ["a", "b".b, [:c, ["\xE9".b]], 1].join("-")
p joined, joined.encoding
begin
  ["é", "\xE9".b].join
rescue EncodingError => e
  p e.message
end
loop_back = ["a", "b"]
loop_back << loop_back
begin
  loop_back.join
rescue ArgumentError => e
  p e.message
end
