# Successors, case, inspect and escapes of texts that are processed in pieces, and a few of many elements.
require "cgi/escape"

def shown(value)
  value.to_s.size > 60 ? [value.size, value.hash == value.dup.hash, value.to_s.sum(64), value[-9..]] : value
end

# Successors: in place, with a carry through all places, with one that ends before punctuation.
2.times do
  %w[a Zz 9z z9 ZZZ9 zzzzzzzzzzzz 999 a9 1.9 1.9.9 -9 -z *9* Az <<>> é9 9é zé 日z].each { |s| print s, " ", s.succ, "; " }
  puts
  long = "a" * 1000
  p shown(long.succ), shown(("z" * 1000).succ), shown((long + "z" * 999).succ), long == "a" * 1000
  p "".succ, "zz".encode("utf-16le").succ.encode("utf-8"), "zz".b.succ, "\xff".b.succ, "Zz".succ.encoding
  s = +"azz"
  p s.succ!, s, "az".freeze.succ, Class.new(String).new("z9").succ.class
end

# Case: 64 characters are mapped at once.
text = "Straße ÀÉÎ ñandú ŒUVRE ΣΊΣΥΦΟΣ Ѐто Ёж ﬁn İstanbul ǆ ǅ ᾳ ა ひらがな 漢字 ꭰ𐐀 "
[text, text * 7, "é" * 63 + "ß", "é" * 64 + "ß", "é" * 65 + "ﬃ" * 70, "a" * 100 + "é", "é" + "Z" * 100].each do |s|
  p %i[upcase downcase swapcase capitalize].map { |name| shown(s.send(name)) }
  p shown(s.downcase(:fold)), shown(s.upcase(:turkic)), shown(s.upcase(:ascii))
  p s.casecmp?(s.swapcase), s.casecmp?(s + "x")
end
p(("é" * 100 + "\xff").upcase) rescue p $!.class, $!.message

# Inspect: printable characters beyond ASCII are copied in runs.
["é" * 70, "é\u0300\u200b\u00ad\u0085\u2028ü", "漢字\u{10ffff}\u{378}か\xff\xc3é\"\#{é}\\\e", "日本".encode("euc-jp"),
 "é".encode("utf-16le"), "\u{1f600}\u{e000}ꭰ한글"].each { |s| puts s.inspect }

# Escapes: 64 bytes are put together at once.
html = "<a href='x'>&\"é\"</a> and then nothing for more than sixty-four bytes of text, which is copied as it is, then < & >"
[html, html * 50, "&" * 63, "&" * 64, "\"" * 65, "x" * 64 + "<", "x" * 200, "", "é <\xff>", "\0<"].each do |s|
  p shown(CGI.escapeHTML(s)), CGI.unescapeHTML(CGI.escapeHTML(s)) == s
  p shown(CGI.escape(s)), shown(CGI.escapeURIComponent(s)), CGI.escape(s).valid_encoding?
end
p CGI.escapeHTML("<é>".encode("iso-8859-1")).encoding, CGI.escape(" ~é-_.".b).encoding

# A few of many.
numbers = (1..500).map { |i| i * 7919 % 503 }
words = numbers.map { |i| "w#{i}" }
100.times do
  [1, 2, 15, 16, 17, 100, 300].each do |count|
    raise "min" unless numbers.min(count) == numbers.sort.first(count)
    raise "max" unless numbers.max(count) == numbers.sort.reverse.first(count)
    raise "min of words" unless words.min(count) == words.sort.first(count)
    raise "max of words" unless words.max(count) == words.sort.reverse.first(count)
  end
end
p numbers.min(3), words.max(3), [5, 5, 5, 4].min(2), [1, 2].min(5), (numbers + [1.5]).min(2), numbers.min(0)
p(([1] * 9 + [nil]).min(2)) rescue p $!.class
p [*"a".."z", "é", "", "long" * 30, "16 bytes exactly", "seventeen bytes.."].join
p [*"a".."z", "four", "seven77"].join("-+-")
