# tr, inspect, unpack and rindex where ASCII and other characters meet.
text = "The quick brown fox, café #1! \"ü\" \\ #{"a" * 20}é#{"b" * 17}\u007f\0#\{x}"
p text, text.tr("a-y", "b-z"), text.tr("a-zé", "é-üa"), text.tr_s("a-z", "*"), text.tr("^a-z", "."), text.tr("é", "e")
p "ab".tr("a", "é").encoding, "aé".tr("é", "b").ascii_only?, "aabbcé".tr_s("ab", "é"), "abc".tr("a-c", "A")
p [1, 200, 255].pack("C*").unpack("C*"), [1, 200, 255].pack("C*").unpack("c*"), "abcd".unpack("CC2C"),
  "ab".unpack("C4"), "\x01\x02\x03\x04\xff\xff\xff\xff".b.unpack("L>l<"), ([2**64 - 1, 5].pack("Q*") + "x").unpack("Q*C"),
  ([-1, 2].pack("q*")).unpack("q*"), "\x01\x02\x03".unpack("S*C*"), "abc".unpack("xC*"), "abc".unpack("C*", offset: 1)
log = "10.0.0.1 - [26/Nov/2026] \"GET /items/12?page=3\" é 200 2326"
last = [/\d/, /[A-Z]+/, /é/, /q/, /\d\d/, /\b\w/, /$/, /x*/, /(?<=\d)\d/, /items/]
3.times { 600.times { last.each { |pattern| log.rindex(pattern) } } }
last.each { |pattern| p [log.rindex(pattern), log.rindex(pattern, 20), log.rindex(pattern, -60), $~&.[](0)] }
copy = text.dup
p copy == text, copy.eql?(text), copy.force_encoding("BINARY") == text, "a".dup.force_encoding("UTF-16LE") == "a"
