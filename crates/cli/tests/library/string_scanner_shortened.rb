# A StringScanner whose String is shortened keeps its position. The output was recorded from CRuby 4.1dev.
require "strscan"

def shortened(to, at: 5)
  scanner = StringScanner.new(+"abcdefgh")
  scanner.pos = at
  yield scanner if block_given?
  scanner.string.replace(to)
  scanner
end

ASKED = %i[pos eos? rest? rest rest_size beginning_of_line? getch get_byte scan_byte peek_byte matched pre_match
           post_match scan_integer inspect]
["ab", "", "abcde"].each do |to|
  p(ASKED.map { |name| shortened(to).send(name) })
  found = [/./, /$/, "", "a"].flat_map do |pattern|
    %i[scan scan_until check match? skip exist?].map { shortened(to).send(it, pattern) }
  end
  p found
  p shortened(to).peek(3), shortened(to).scan_integer(base: 16)
  scanner = shortened(to)
  scanner << "xyz12"
  p scanner.pos, scanner.rest, scanner.scan(/\w/), scanner.pos
  scanner = shortened(to) { it.scan(/f(g)/) }
  p scanner.matched, scanner[1], scanner.pre_match, scanner.post_match, scanner.matched_size, scanner.captures
  scanner.unscan
  p scanner.pos
end
scanner = shortened("fgh")
scanner.pos -= 5
p scanner.scan(/f/)
begin
  shortened("a").pos += 0
rescue RangeError => error
  p error.message
end
