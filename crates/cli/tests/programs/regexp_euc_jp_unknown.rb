# Characters of EUC-JP that begin with 8E and go on from E0 on.
strange = "\x8e\xfe".dup.force_encoding("EUC-JP")
other = "\xb0\xfe".dup.force_encoding("EUC-JP")
text = other + strange + "a" + strange
2.times do
  p text =~ Regexp.new(strange), text.rindex(Regexp.new(Regexp.escape(strange + ".")))
  p text.rindex(Regexp.new(strange)), text.scan(Regexp.new(strange)).size, text.sub(Regexp.new(strange + "a"), "-")
  p text.index(Regexp.new(strange), 2), text.match?(Regexp.new("a" + strange)), text.start_with?(Regexp.new(strange))
  p Regexp.new(strange).match("ascii"), text.slice(Regexp.new(strange)) == strange, text.split(Regexp.new(strange)).size
  p "\xb0\x8e\xfe\xfe".dup.force_encoding("EUC-JP") =~ Regexp.new(strange) rescue p $!.class
end
