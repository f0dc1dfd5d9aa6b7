# Fast paths that skip decoding, conversion or search, and their slow paths. Recorded from CRuby 3.4.11; messages of
# JSON errors from 4.0.0.
require "stringio"; require "json"
io=StringIO.new; io << "a" << 1 << :b; io.print("x", 2); io.putc "é"; io.putc 65; io.puts "q",[1,[2]]; io.write("a","b"); p io.string
io.rewind; p io.gets, io.getc, io.getbyte, io.gets(chomp: true), io.gets("2"), io.read
io=StringIO.new("a\r\nb\n\n\nc"); p io.each_line(chomp: true).to_a; io.rewind; p io.gets(""), io.gets(nil), io.gets
p "hello".tr('a-y','b-z'), "hello".tr('^l','*'), "hello".tr_s('l','r'), "aabbcc".squeeze, "aabbcc".squeeze("a-b"), "hello".delete("l","lo"), "hello".count("lo","o"), "hello".tr("el","ip"), "hello".tr("l","é"), "héllo".tr("é","e"), "hello".delete("^l"), "ab\\c".tr("\\\\","x")
p "Abc".casecmp("aBd"), "Abc".casecmp("aBC"), "abc".casecmp("ab"), "é".casecmp("É"), "aé".casecmp("aÉ"), "a".casecmp("é"), "Z".b.casecmp("\xff".b)
p "日本語éÉ".upcase, "ÀB日".downcase, "éa".capitalize, "ßx".upcase, "ｱa".swapcase, "ΑΣ".downcase, "İ".downcase
p "abc".center(11), "é".ljust(5), "".rjust(3), "abc".center(10).ascii_only?, ("é".rjust(4)).valid_encoding?
p "aé".encode("UTF-16LE").bytes, "aé".encode("UTF-16LE").encode("UTF-8"), "é".encode("ISO-8859-1").bytes
begin; "日".encode("ISO-8859-1"); rescue => e; p e; end
p Time.at(0).utc.wday, Time.at(-1).utc.year, Time.at(1700000000).utc.to_a, Time.at(-86400*5).utc.wday, Time.utc(-5,1,1).wday
m=Mutex.new; q=Queue.new; t=Thread.new { q.pop }; sleep 0.01; q << 3; p t.value; t=Thread.new { m.synchronize { sleep 0.02; 1 } }; sleep 0.005; m.synchronize { p 2 }; p t.value
2500.times { |i| s="ab#{i}x"; raise unless s.match?(/\d+x/); raise unless s =~ /(\d+)(x)/ && $1 == i.to_s && $2=="x"; raise if s.match?(/y/); raise unless s[/b\d/]=="b"+i.to_s[0] }
p JSON.parse("[1,-2,0,-0,12345678901234567890,1.5,1e3]")
%w([01] [1-] [-] [1.] [12e]).each { |j| begin; p JSON.parse(j); rescue JSON::ParserError => e; p e.message; end }
# After many searches the automaton finds the same as the backtracking engine before.
texts = ["ab12\n", "", "xéy 日本", "aaa bbb", "a\nb\n"]
patterns = [/\w+/, /(a)(b)?/, /^b/, /b$/, /[^a]+/, /(?<x>\d)(\d)/, /\A\z/, /a|ab/, /é/, /(a*)*b/, /b.*/m, /B/i]
found = patterns.map { |pattern| texts.map { |text| text.match(pattern)&.to_a } }
1100.times { patterns.each { |pattern| "none of it!".match?(pattern) } }
p found == patterns.map { |pattern| texts.map { |text| text.match(pattern)&.to_a } }
p patterns.map { |pattern| texts.map { |text| text.match?(pattern) } } == found.map { |list| list.map { |m| !m.nil? } }
# Base64 and hex digits.
p ["\x00\xFFab".b * 20].pack("m").unpack1("m") == "\x00\xFFab".b * 20, ["abcd"].pack("m0"), "YWJj\nZGU=\n".unpack1("m"), "YW Jj*ZA==".unpack1("m"), "YWJj".unpack1("m0")
begin
  "YWJ*".unpack1("m0")
rescue ArgumentError => e
  p e.message
end
p "\x1f\xA0b".b.unpack1("H*"), "\x1f\xA0b".b.unpack1("h3"), Regexp.escape("a b\t[é]#\v日-")
# Interpolation of Strings with the same and with different encodings.
a, b, c = "é", "\xE9".b, "x".encode("US-ASCII")
p "#{a}-#{c}", "#{c}#{c}".encoding, "#{""}#{a}".valid_encoding?, "#{b}#{c}".encoding
begin
  "#{a}#{b}"
rescue Encoding::CompatibilityError => e
  p e.message
end
