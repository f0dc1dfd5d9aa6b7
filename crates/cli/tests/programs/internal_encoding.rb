# With an internal encoding, strings without a named encoding are in it; recorded from CRuby 3.4.11.
Encoding.default_internal = "iso-8859-1"
p "a\xB0\u3042".encode, "\u3042".encode!, "a\xB0\u3042".encode(undef: nil), "\xB0".b.encode(invalid: :replace, replace: "x")
p "\u3042".encode(xml: :text), "\u3042".encode(fallback: proc { "F" })
p (begin "\u3042".encode("iso-8859-1") rescue $!.class end)
Encoding.default_internal = nil
p "a\xB0\u3042".encode, "a\xB0\u3042".encode(invalid: :replace)
