# Invalid bytes in the arguments of string methods, and stateful encodings. Recorded from CRuby 4.1dev.
def t
  p yield
rescue ArgumentError, EncodingError, RegexpError => e
  puts "#{e.class}: #{e.message}"
end

ascii = "\xE6".dup.force_encoding("US-ASCII")
japanese = "a".dup.force_encoding("ISO-2022-JP")
t { ["\xff".delete_prefix("\xff"), "a\xffb".delete_suffix("\xffb"), "\xff".delete_suffix("\xff")] }
t { ["é".delete_prefix(ascii), "é".delete_suffix(ascii)] }
t { "é".delete_suffix("\xE6".b) }
%i[count delete squeeze].each { |name| t { "abc".public_send(name, ascii) } }
t { "abc".tr(ascii, "b") }
t { "abc".tr("a", ascii) }
broken = "aab\xE6".dup.force_encoding("US-ASCII")
%i[count delete squeeze].each { |name| t { broken.public_send(name, "a") } }
t { broken.tr("a", "b") }
t { broken.tr_s("a", "b") }
t { "".casecmp?(japanese) }
t { japanese.casecmp?("") }
t { "b".casecmp?(japanese) }
begin
  Regexp.new("ab".dup.force_encoding("ISO-2022-JP"))
rescue RegexpError => e
  p e.message.b
end
Encoding.list.select(&:dummy?).each { |encoding| t { "ab\ncd".dup.force_encoding(encoding).lines } }
p "\xC3\x9F".dup.force_encoding("Shift_JIS").grapheme_clusters, "a\xA4\xA2\x8F".dup.force_encoding("EUC-JP").grapheme_clusters
p "a\u0301\xE3".grapheme_clusters
