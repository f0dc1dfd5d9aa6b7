# A scan position inside a character: recorded from CRuby 3.4.11.
require "strscan"
scanner = StringScanner.new("aä\nö\nb")
scanner.pos = 2
p scanner.skip_until(/\n/), scanner.pos, scanner.pre_match.bytesize
scanner.pos = 2
p scanner.scan(/x*/), scanner.scan(/b/), scanner.pos
scanner.pos = 2
p scanner.check_until(/ö/).bytes, scanner.matched, scanner.exist?(/b/), scanner.search_full(/q/, false, true)
scanner.pos = 5
p scanner.rest.valid_encoding?, scanner.scan_until(/b/).bytes, scanner.eos?
fixed = StringScanner.new("aä\nö\nb", fixed_anchor: true)
fixed.pos = 2
p fixed.skip_until(/^ö/), fixed.pos

# What inspect shows around the position are bytes.
scanner = StringScanner.new("test é 日本 x")
scanner.pos = 5
p scanner, StringScanner.new("é")
