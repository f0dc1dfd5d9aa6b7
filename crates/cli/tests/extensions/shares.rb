require "thin"

def error = yield.then { it.inspect } rescue "#{$!.class}: #{$!.message}"

# Memory views.
p Thin.view(Thin::Matrix.new, 1, 0), Thin.view(Class.new(Thin::Matrix).new, 1, 2), Thin.view("text", 0, 0)
p Thin.items("c", "\xff"), Thin.items("Cs>L", "\xff\xff\xfe\x04\x03\x02\x01".b), Thin.items("|cl!", "a".b.ljust(8, "\0") + "b".ljust(8, "\0"))
p Thin.items("f2x2d", [1.5, -2.5].pack("f2") + "xx" + [0.1].pack("d")), Thin.items("q<Q>", [-2, 1 << 63].pack("q<Q>"))
p Thin.items("cz", "a"), Thin.items("f!", "a"), Thin.items("nv", "\x01\x02\x01\x02")
GC.start

# IO::Buffer.
Warning[:experimental] = false
p Thin.buffer
p Thin.readable(IO::Buffer.for("abc")), Thin.writable(IO::Buffer.new(5))
puts error { Thin.writable(IO::Buffer.for("abc")) }, error { Thin.readable(IO::Buffer.new(4).tap(&:free)) }
puts error { Thin.readable("a") }.sub(/ \(.*/, "")

# Conversions.
p Thin.convert("grün", "UTF-8", "ISO-8859-1", nil), Thin.convert("\u3042b", "UTF-8", "EUC-JP", nil)
p Thin.convert("a\u3042b", "UTF-8", "US-ASCII", nil), Thin.convert("a\xE3".b, "UTF-8", "EUC-JP", nil)
p Thin.convert("a\u3042b<", "UTF-8", "US-ASCII", {undef: :replace, replace: "-", xml: :text, crlf_newline: true})
p Thin.convert("a\u3042\n", "UTF-8", "US-ASCII", {undef: :replace, replace: "-", crlf_newline: true})
puts error { Thin.convert("", "UTF-8", "none", {crlf_newline: true}) }, error { Thin.raising("ä") }
p Thin.decorated("a\nä")

# Encodings of an extension.
p Thin.dummy("Thin-Dummy", "Thin-Alias"), Encoding.find("thin-alias"), Encoding::THIN_DUMMY, Encoding::Thin_Alias.names
p Encoding.list.last, Encoding.aliases["Thin-Alias"], Encoding.name_list.include?("Thin-Dummy")
puts error { Thin.dummy("UTF-8", "x") }, error { Thin.dummy("Thin-Other", "Thin-Alias") }
text = "äb".dup.force_encoding("Thin-Dummy")
p text, text.length, text.valid_encoding?, text.b.encoding, error { text.encode("UTF-8") }, error { text + "ä" }
p error { /a/ =~ text }, error { text.upcase }, Marshal.load(Marshal.dump(text)).encoding
puts error { Thin.many }.sub(/\d+/, "N").sub("encodings", "encoding")
p Thin.scanned("ab", "ä"), Thin.scanned("ä", "b"), Thin.scanned("a\xC3", "b"), Thin.scanned("a\xff", "b")
p Thin.in_encoding("aaa".encode("UTF-16LE").force_encoding("UTF-8"), "UTF-16LE", "UTF-8", nil)
p Thin.in_encoding("ä<", "UTF-8", "US-ASCII", nil), Thin.in_encoding("ä<", "UTF-8", "US-ASCII", {undef: :replace, replace: "-"})
p Thin.in_encoding("abc", "UTF-8", "BINARY", nil).encoding, Thin.in_encoding("grün", "UTF-8", "ISO-8859-1", nil)
p Thin.encoded("ä<\n")
