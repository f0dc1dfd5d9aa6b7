# Texts in other encodings, broken ones too.
TEXTS = ["", "abc", "é", "日本語テキスト", "\u{1f600}", "\xff\xfe", "ａ1\u0301", "\e$B8l\e(B", "&amp;<>\"",
  "a\r\nb\rc\n", "한국어", "Ωß\u00ad", "\x81\x30\x81\x30", "\xa4\xa2\x8e\xb1", "\0\xd8\0\xdc", "+AGE-"]
ALL = Encoding.list
OPTIONS = {invalid: [:replace, nil, :x], undef: [:replace, nil], replace: ["?", "", "é", "\xff", 5,
  "日".encode("EUC-JP")], xml: [:text, :attr, :x], newline: [:universal, :crlf, :cr, :lf],
           crlf_newline: [true], universal_newline: [true], fallback: [{"é" => "e"}, proc { |c| "<" }, proc { 5 },
             proc { raise "f" }, :x.to_proc], cr_newline: [true]}

def attempt
  text = Kit.changed(Kit.pick(TEXTS) * Kit.pick([1, 1, 3, 50]))
  from, to = Kit.pick(ALL), Kit.pick(ALL)
  text = text.encode(from, invalid: :replace, undef: :replace) rescue text.dup.force_encoding(from) if Kit.roll(2) == 0
  chosen = OPTIONS.filter_map { |key, values| [key, Kit.pick(values)] if Kit.roll(5) == 0 }.to_h
  reads text, from, to, chosen
  try { text.encode(to, from, **chosen) }
  try { text.encode(to, **chosen) }
  try { text.dup.encode!(to, Kit.pick(ALL)) }
  text = text.dup.force_encoding(from)
  [:inspect, :dump, :upcase, :swapcase, :capitalize, :reverse, :chars, :succ, :scrub, :unicode_normalize,
    :grapheme_clusters, :codepoints, :lines, :valid_encoding?, :squeeze, :chop, :chomp,
   :strip, :split, :hash, :to_sym, :intern, :hex, :ord, :sum, :downcase, :each_byte,
     :undump].each { |name| try { text.public_send(name) } }
  try { text.unicode_normalize(Kit.pick(%i[nfc nfd nfkc nfkd])) }
  try { text.scrub { |bytes| Kit.pick(["?", bytes, "é"]) } }
  try { text.tr(Kit.pick(["a-z", "^a", "日", "\xff", "a-", "é-日"]), Kit.pick(["b", "", "A-Z", "日", "\xfe"])) }
  try { text.count("a-é", "^b") + text.delete("^a-z").size }
  try { [text.center(9, "é"), text.index("a"), text.insert(1, "b"), text[1..3], text <=> "a", text.casecmp?("É"),
    text.byteindex("b"), text.byteslice(1, 2)] }
  try do
    converter = Encoding::Converter.new(from, to, **chosen.slice(:invalid, :undef, :newline, :xml))
    source, made = text.dup, +""
    9.times do
      result = converter.primitive_convert(source, made, Kit.pick([nil, 0, 1]), Kit.pick([nil, 0, 1, 3, 100]),
        partial_input: Kit.roll(2) == 0, after_output: Kit.roll(2) == 0)
      converter.insert_output(Kit.pick(["?", "é", ""])) if Kit.roll(3) == 0
      converter.putback(Kit.roll(3)) if Kit.roll(3) == 0
      [converter.last_error, converter.primitive_errinfo, converter.convpath, converter.replacement]
      break if result == :finished
    end
    converter.convert(text) + converter.finish
  end
end
