# Where invalid bytes are refused, and where encodings are compared before anything else.
def try
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

broken = "\xA1"
try { broken.strip }
try { "a\xA1".strip }
try { " \xA1".lstrip }
try { "\xA1 ".rstrip }
try { broken.scan("a") }
try { "abc".scan(broken) }
try { "abc".sub(broken, "") }
try { "abc".gsub("(#{broken}", "") }
try { broken.split("a") }
try { broken.split("\xA1\xA1".dup.force_encoding("EUC-JP")) }
try { "abc".b.index(broken) }
try { "".delete(broken) }
try { "ab\xA1".b[-4, 1] = broken }
try { "ab\xA1".b[5] = "\u3042" }
try { "ab\xA1".b.chomp("\u3042\u3042") }
try { "\xA1\xA1\x8F".dup.force_encoding("EUC-JP").reverse.valid_encoding? }
try { Object.const_defined?("\xFF") }
try { 1.5.round(half: "up".encode("UTF-16LE")) }
text = "abc\xE3\x80"
try { text.scrub { text << "1234567890" and "?" } }
try { IO::Buffer.for("abcdefghij") { |buffer| buffer.each_byte(3, 8).to_a } }
try { IO::Buffer.for("abcdefghij") { |buffer| buffer.hexdump(0, 10, 1 << 60) } }
Encoding.default_internal = "UTF-8"
try { "\xFF".encode }
try { "\xFF".encode(invalid: :replace) == "\uFFFD" }
try { "\xFF".dup.force_encoding("EUC-JP").encode == "\uFFFD" }
