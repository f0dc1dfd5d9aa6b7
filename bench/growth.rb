# Operations of many classes at sizes n, 2n, 4n and 8n. The cost of n operations, or of one on something of size n, must
# not grow faster than n.
#
#   ruby bench/growth.rb [PATTERN]          processor time and growth from n to 8n, for any Ruby
#   ruby bench/growth.rb --results          the result of each row at n, for bench/growth.txt
#   cargo xtask growth [PATTERN]            machine instructions counted by valgrind, the same on every machine
#
# A row is `row(NAME, N, SETUP) { |n, result of SETUP| … }` and returns an Integer that is checked. `bound:` is the
# allowed ratio of the costs at 8n and n; the default of 12 also allows n log n, as for sorting.
require "set"
require "stringio"
require "strscan"
require "tempfile"
require "tmpdir"
require "weakref"
require "objspace"

ROWS = []
Row = Struct.new(:name, :n, :setup, :bound, :work)

def row(name, n, setup = nil, bound: 12, &work) = ROWS << Row.new(name, n, setup, bound, work)

# --- String: growing
PARTS = ["é".encode("UTF-8"), 0.5.to_s, "a<b".sub("a", "ä")]
row("String#<< of parts that differ in encoding and in what is known of them", 300) do |n|
  s = +"é"
  n.times { |i| s << "ä#{i}".sub("x", "y") << 0.5.to_s; s << i.to_s }
  s.size
end
row("String#<< of ASCII, asked for its size each time", 500) do |n|
  s = +""
  n.times { |i| s << i.to_s; s.size }
  s.size
end
row("String#<< of other letters, asked whether it is valid each time", 500) do |n|
  s = +""
  n.times { s << "é".dup; s.valid_encoding? }
  s.size
end
row("String#<< of an Integer", 500) { |n| s = +"é"; n.times { |i| s << 233 + i % 10 << 0.5.to_s }; s.size }
row("String#concat of several", 300) { |n| s = +"é"; n.times { s.concat("a", "é", 1.5.to_s) }; s.size }
row("String#append_as_bytes", 500) { |n| s = "".b; n.times { |i| s.append_as_bytes("é", i); s << 0.5.to_s }; s.size }
row("String#insert(-1)", 500) { |n| s = +"é"; n.times { s.insert(-1, 0.5.to_s) }; s.size }
row("String#[]= behind the end", 400) { |n| s = +"a"; n.times { s[s.size..] = 0.5.to_s }; s.size }
row("String#force_encoding and back while appending", 500) do |n|
  s = "é".b
  n.times { s.force_encoding("BINARY"); s << "\xff".b; s << 0.5.to_s }
  s.size
end
row("String#replace of a part of the same length", 500, ->(n) { "x" * n }) do |n, s|
  n.times { |i| s[i] = "y" }
  s.count("y")
end
row("String#setbyte, then getbyte and a look at the whole", 500, ->(n) { "x" * n }) do |n, s|
  n.times { |i| s.setbyte(i, 121); s.ascii_only? }
  s.count("y")
end
row("String#setbyte and unpack in turns", 500, ->(n) { "abcdefgh" * n }) do |n, s|
  n.times { |i| s.setbyte(i, 121); s.unpack("@#{i}N2") }
  s.count("y")
end
row("String#*", 20_000) { |n| ("é" * n).size }
row("String#center with other letters", 4_000) { |n| "ab".center(n, "éa").size }
row("String#ljust with other letters", 4_000) { |n| "ab".ljust(n, "é").valid_encoding? ? n : 0 }
row("interpolation", 500) { |n| t = 0; n.times { |i| t += "é#{i}#{0.5}#{:sym}".size }; t }
row("String#+ of short ones", 1_000) { |n| t = 0; n.times { |i| t += ("é" + i.to_s).size }; t }
row("Array#join of Integers", 1_000, ->(n) { (0...n).to_a }) { |_, a| a.join(", ").size }
row("Array#join of nested Arrays", 200, ->(n) { Array.new(n) { |i| [i, ["é", i.to_f]] } }) { |_, a| a.join("-").size }
row("Array#join of Strings of two encodings", 600, ->(n) { Array.new(n) { |i| i.even? ? "é" : i.to_s } }) do |_, a|
  a.join.size
end
row("Array#inspect", 150, ->(n) { Array.new(n) { |i| [i, "é", 1.5] } }) { |_, a| a.inspect.size }
row("Hash#inspect", 400, ->(n) { (0...n).to_h { |i| ["é#{i}", i.to_f] } }) { |_, h| h.inspect.size }
row("Struct#inspect", 100, ->(n) { Array.new(n) { |i| Row.new("é", i) } }) { |_, a| a.inspect.size }
row("a template's appends", 300) do |n|
  out = +""
  n.times { |i| out << "<li>".freeze; out << "é&#{i}".gsub("&", "&amp;"); out << 0.25.to_s << "</li>\n" }
  out.size
end
# --- String: shrinking
row("String#slice! of lines from the front", 200, ->(n) { "é line of text\n" * n }) do |_, s|
  k = 0
  k += 1 while s.slice!(/\A[^\n]*\n/)
  k
end
row("String#slice! of bytes from the front, with a look", 400, ->(n) { "aé" * n }) do |_, s|
  k = 0
  (k += 1; s.slice!(0)) while s.valid_encoding? && !s.empty?
  k
end
row("String#chop! with a look", 500, ->(n) { "aé" * n }) do |_, s|
  k = 0
  (s.chop!; k += s.ascii_only? ? 1 : 2) until s.empty?
  k
end
row("String#delete_prefix! again and again", 400, ->(n) { "ab" * n }) do |_, s|
  k = 0
  k += 1 while s.delete_prefix!("ab")
  k
end
row("$' again and again", 200, ->(n) { "word é " * n }) { |_, s| k = 0; (k += 1; s = $') while s =~ /é / ; k }
row("String#partition again and again", 200, ->(n) { "word é " * n }) do |_, s|
  k = 0
  until s.empty?
    _, _, s = s.partition("é ")
    k += 1
  end
  k
end
row("String#byteslice along an ASCII String", 500, ->(n) { "abcd" * n }) do |n, s|
  t = 0
  n.times { |i| t += s.byteslice(i * 4, 4).size }
  t
end
row("String#[] along an ASCII String", 500, ->(n) { "abcd" * n }) do |n, s|
  t = 0
  n.times { |i| t += s[i * 4, 4].size }
  t
end
row("String#byteindex along a String", 500, ->(n) { "abcé" * n }) do |_, s|
  at = k = 0
  (k += 1; at += 1) while at = s.byteindex("a", at)
  k
end
# --- String: iteration and search
row("String#each_char", 800, ->(n) { "aé" * n }) { |_, s| t = 0; s.each_char { |c| t += c.bytesize }; t }
row("String#each_line", 500, ->(n) { "é line\n" * n }) { |_, s| t = 0; s.each_line { |l| t += l.size }; t }
row("String#split by a String", 500, ->(n) { "é,b," * n }) { |_, s| s.split(",").size }
row("String#split by a Regexp", 500, ->(n) { "é, b; " * n }) { |_, s| s.split(/[,;] /).size }
row("String#split by white space", 500, ->(n) { "é  b " * n }) { |_, s| s.split.size }
row("String#scan and gsub with a block", 2000, ->(n) { "a é " * n }) do |_, s|
  k = 0
  s.scan(/a/) { k += 1 }
  s.gsub(/a/) { k += 1; "b" }
  k
end
row("String#scan with look-around and word boundaries", 200, ->(n) { "a b é " * n }) do |_, s|
  s.scan(/\w(?=\s*\w)/).size + s.scan(/\w+\b/).size + s.scan(/(?<=a )\w/).size
end
row("String#scan with groups", 300, ->(n) { "k1=v1 é " * n }) { |_, s| s.scan(/(\w)(\d)=/).size }
row("String#gsub with a block and $~", 300, ->(n) { "k1=v1 é " * n }) { |_, s| s.gsub(/(\d)/) { $1.succ }.size }
row("String#gsub with a Hash", 300, ->(n) { "a&b<é" * n }) { |_, s| s.gsub(/[&<]/, "&" => "&amp;", "<" => "&lt;").size }
row("String#gsub of a String", 500, ->(n) { "a-é" * n }) { |_, s| s.gsub("-", "+").count("+") }
row("String#sub! from the front", 200, ->(n) { "é-" * n }, bound: 60) do |_, s|
  k = 0
  k += 1 while s.sub!(/\Aé-/, "")
  k
end
row("String#tr", 1_000, ->(n) { "hello é" * n }) { |_, s| s.tr("a-y", "b-z").count("f") }
row("String#delete and squeeze", 2_000, ->(n) { "aabé" * n }) { |_, s| s.delete("b").squeeze.size }
row("String#count of a set", 2_000, ->(n) { "hello é" * n }) { |_, s| s.count("a-i") }
row("String#upcase of other letters", 1_500, ->(n) { "straße é" * n }) { |_, s| s.upcase.size }
row("String#reverse of other letters", 2_000, ->(n) { "aé" * n }) { |_, s| s.reverse.size }
row("String#unpack and Array#pack", 500, ->(n) { "abcdefgh" * n }) { |_, s| s.unpack("N*").pack("N*").size }
row("String#encode to UTF-16 and back", 1_000, ->(n) { "aé" * n }) { |_, s| s.encode("UTF-16LE").encode("UTF-8").size }
row("String#scrub", 500, ->(n) { "a\xffé" * n }) { |_, s| s.scrub("?").size }
row("String#unicode_normalize", 60, ->(n) { "e\u0301" * n }) { |_, s| s.unicode_normalize.size }
row("String#succ", 1_000) { |n| s = "a"; n.times { s = s.succ }; s.sum }
row("String#hash and eql?", 1_000) { |n| h = {}; n.times { |i| h["key é#{i}"] = i }; h.size }
row("String#to_sym", 400) { |n| t = 0; n.times { |i| t += "sym_#{n}_#{i}".to_sym.size }; t }
row("String#to_i of many digits", 1_500, ->(n) { "7" * n }, bound: 40) { |_, s| s.to_i.bit_length }
row("String#% of several", 300) { |n| t = 0; n.times { |i| t += format("%05d %s %.2f", i, "é", i / 3.0).size }; t }
# --- Symbol, Integer, Range
row("Symbol#to_proc over an Array", 1_000, ->(n) { Array.new(n) { |i| i } }) { |_, a| a.map(&:to_s).size }
row("Symbol#<=> while sorting", 200, ->(n) { Array.new(n) { |i| :"s#{i * 7919 % n}" } }) { |_, a| a.sort.size }
row("Integer#to_s of many digits", 3_000, ->(n) { 7**n }, bound: 40) { |_, i| i.to_s.size }
row("Integer#* of many digits", 8_000, ->(n) { 7**n }, bound: 45) { |_, i| (i * (i + 1)).bit_length }
row("Integer#digits", 300, ->(n) { 10**n }, bound: 80) { |_, i| i.digits.size }
row("Integer#pow with a modulus", 60, ->(n) { (1 << n) + 1 }) { |n, e| 3.pow(e, 1_000_003) + n }
row("Integer#<< by one", 300, bound: 20) { |n| i = 1; n.times { i <<= 1 }; i.bit_length }
row("Integer.sqrt", 2_000, ->(n) { 10**n }, bound: 45) { |_, i| Integer.sqrt(i).bit_length }
row("Integer#bit_length and []", 1_000, ->(n) { 1 << n }) { |n, i| t = 0; n.times { |k| t += i[k] }; t }
row("Range#step and to_a", 2_000) { |n| (0..n * 3).step(3).to_a.size }
row("Numeric#step", 1_000) { |n| t = 0; 1.step(n * 2, 2) { |i| t += i }; t }
# --- Array
row("Array#<< and pop", 2_000) { |n| a = []; n.times { |i| a << i }; n.times { a.pop }; a.size }
row("Array#push, shift as a queue", 2_000) do |n|
  a = []
  n.times { |i| a << i }
  t = 0
  n.times { |i| t += a.shift; a << i }
  t
end
row("Array#unshift", 1_000) { |n| a = []; n.times { |i| a.unshift(i) }; a.size }
row("Array#insert at 1", 300, bound: 30) { |n| a = [0, 1]; n.times { |i| a.insert(1, i) }; a.size }
row("Array#concat", 1_000) { |n| a = []; n.times { a.concat([1, 2]) }; a.size }
row("Array#[] slices of a long one", 1_000, ->(n) { (0...n).to_a }) do |n, a|
  t = 0
  n.times { |i| t += a[i..].size & 1 }
  t
end
row("Array#drop(1) again and again", 500, ->(n) { (0...n).to_a }) do |_, a|
  k = 0
  (a = a.drop(1); k += 1) until a.empty?
  k
end
row("first, *rest = rest", 400, ->(n) { (0...n).to_a }) { |_, a| k = 0; (_, *a = a; k += 1) until a.empty?; k }
row("Array#flatten", 500, ->(n) { Array.new(n) { |i| [i, [i]] } }) { |_, a| a.flatten.size }
row("Array#uniq, |, &, -", 500, ->(n) { (0...n).to_a }) { |_, a| (a.uniq | a & a - [1]).size }
row("Array#sort", 500, ->(n) { Array.new(n) { |i| i * 7919 % n } }) { |_, a| a.sort[-1] }
row("Array#sort_by", 400, ->(n) { Array.new(n) { |i| i * 7919 % n } }) { |_, a| a.sort_by { |i| -i }[0] }
row("Array#sort with a block", 300, ->(n) { Array.new(n) { |i| i * 7919 % n } }) { |_, a| a.sort { |x, y| y <=> x }[0] }
row("Array#sort of Strings", 300, ->(n) { Array.new(n) { |i| "é#{i * 7919 % n}" } }) { |_, a| a.sort[0].size }
row("Array#group_by and tally", 500, ->(n) { (0...n).to_a }) { |_, a| a.group_by { |i| i % 7 }.size + a.tally.size }
row("Array#each_slice and each_cons", 500, ->(n) { (0...n).to_a }) do |_, a|
  a.each_slice(3).count + a.each_cons(2).count
end
row("Array#combination(2)", 24, bound: 80) { |n| (0...n).to_a.combination(2).count }
row("Array#delete_if", 1_000, ->(n) { (0...n).to_a }) { |_, a| a.delete_if(&:odd?).size }
row("Array#slice! from the front", 500, ->(n) { (0...n).to_a }) do |_, a|
  k = 0
  k += a.slice!(0, 1).size until a.empty?
  k
end
row("Array#transpose and zip", 300, ->(n) { Array.new(n) { |i| [i, -i] } }) do |_, a|
  a.transpose.sum(&:size) + a.zip(a).size
end
row("Array#== and hash", 1_000, ->(n) { Array.new(n) { |i| "é#{i}" } }) do |_, a|
  b = a.map(&:dup)
  a == b && a.hash == b.hash ? a.size : 0
end
row("Array#pack of many", 1_000, ->(n) { (0...n).to_a }) { |_, a| a.pack("U*").size }
row("Array#bsearch", 200, ->(n) { (0...n).to_a }) { |n, a| t = 0; n.times { |i| t += a.bsearch { |x| x >= i } }; t }
# --- Hash, Set
row("Hash#[]= and delete", 1_000) { |n| h = {}; n.times { |i| h[i] = i }; n.times { |i| h.delete(i) }; h.size }
row("Hash#shift as a queue", 800) { |n| h = {}; n.times { |i| h[i] = i }; k = 0; (h.shift; k += 1) until h.empty?; k }
row("Hash#delete of the first, then the first key", 500, ->(n) { (0...n).to_h { |i| [i, i] } }) do |_, h|
  k = 0
  (h.delete(h.first[0]); k += 1) until h.empty?
  k
end
row("a cache: delete and insert again", 1_000, ->(_) { (0...100).to_h { |i| [i, i] } }) do |n, h|
  n.times { |i| v = h.delete(i % 100); h[i % 100] = v }
  h.keys.sum
end
row("one key of many, deleted and inserted again", 1_000, ->(n) { (0...n).to_h { |i| [i, i] } }) do |n, h|
  n.times { v = h.delete(5); h[5] = v }
  h.size
end
row("Hash#merge of two", 600, ->(n) { (0...n).to_h { |i| [i, i] } }) { |_, h| h.merge(h.transform_keys(&:-@)).size }
row("Hash#merge! in a loop", 500) { |n| h = {}; n.times { |i| h.merge!(i => i) }; h.size }
row("Hash#to_h, select, map", 500, ->(n) { (0...n).to_h { |i| [i, i] } }) do |_, h|
  h.select { |k, _| k.even? }.to_h { |k, v| [v, k] }.size
end
row("Hash#each with a lookup", 1_000, ->(n) { (0...n).to_h { |i| ["k#{i}", i] } }) do |_, h|
  t = 0
  h.each { |k, v| t += h[k] - v + 1 }
  t
end
row("Hash#sort_by and max_by", 300, ->(n) { (0...n).to_h { |i| [i, -i] } }) do |_, h|
  h.sort_by { |_, v| v }[0][0] + h.max_by { |k, _| k }[0]
end
row("Hash with Arrays as keys", 200) do |n|
  h = {}
  n.times { |i| h[[i, i.to_s]] = i }
  t = 0
  n.times { |i| t += h[[i, i.to_s]] }
  t
end
row("Hash with objects as keys", 600, ->(n) { Array.new(n) { Object.new } }) do |_, a|
  h = {}
  a.each { |o| h[o] = 1 }
  a.sum { |o| h[o] }
end
row("Hash#compare_by_identity", 600, ->(n) { Array.new(n) { |i| "k#{i}" } }) do |_, a|
  h = {}.compare_by_identity
  a.each { |o| h[o] = 1 }
  h.size
end
row("Hash#any?, find, sum of a Float key", 600, ->(n) { (0...n).to_h { |i| [i * 0.5, i] } }) do |n, h|
  t = 0
  n.times { |i| t += h[i * 0.5] }
  t
end
row("Set#add, include?, delete", 600) do |n|
  s = Set.new
  n.times { |i| s << i }
  n.times { |i| s.delete(i) if s.include?(i) && i.even? }
  s.size
end
row("Set's algebra", 150, ->(n) { Set.new(0...n) }) do |n, s|
  o = Set.new(n / 2...n * 2)
  (s | o).size + (s & o).size + (s - o).size + (s ^ o).size
end
row("Set#subset? and ==", 600, ->(n) { Set.new(0...n) }) { |_, s| t = s.dup; s.subset?(t) && s == t ? s.size : 0 }
# --- IO, StringIO, StringScanner
row("IO#puts to a file and each_line", 200) do |n|
  Tempfile.create { |f| n.times { |i| f.puts "é line #{i}" }; f.rewind; f.each_line.sum(&:size) }
end
row("IO#gets and ungetc", 200) do |n|
  Tempfile.create do |f|
    f.write("é line\n" * n)
    f.rewind
    k = 0
    while c = f.getc
      f.ungetc(c)
      k += f.gets.size
    end
    k
  end
end
row("IO#read of parts into a String", 500) do |n|
  Tempfile.create do |f|
    f.write("é line\n" * n)
    f.rewind
    s = +""
    while p = f.read(64)
      s << p.force_encoding("UTF-8").scrub("?")
    end
    s.size
  end
end
row("IO#each_char", 300) { |n| Tempfile.create { |f| f.write("aé" * n); f.rewind; f.each_char.count } }
row("IO.pipe there and back", 60) { |n| r, w = IO.pipe; t = 0; n.times { |i| w.write("é#{i}\n"); t += r.gets.size }; t }
row("StringIO#<< of parts", 250) do |n|
  io = StringIO.new(+"é")
  io.seek(0, 2)
  n.times { |i| io << "é" << 0.5.to_s }
  io.string.size
end
row("StringIO#gets", 500, ->(n) { StringIO.new("é line\n" * n) }) do |_, io|
  t = 0
  while l = io.gets
    t += l.size
  end
  t
end
row("StringIO#getc and ungetc", 400, ->(n) { StringIO.new("aé" * n) }) do |_, io|
  t = 0
  while c = io.getc
    t += 1
    (io.ungetc(c); io.getc) if t % 8 == 0
  end
  t
end
row("StringIO#read of parts", 500, ->(n) { StringIO.new("abé" * n) }) do |_, io|
  t = 0
  while s = io.read(3)
    t += s.size
  end
  t
end
row("StringScanner#scan", 100, ->(n) { StringScanner.new("word é 12 " * n) }) do |_, s|
  k = 0
  (s.scan(/\w+|[é]/) || s.skip(/ /); k += 1) until s.eos?; k
end
row("StringScanner#scan_until and pos", 300, ->(n) { StringScanner.new("ab é; " * n) }) do |_, s|
  t = 0
  t += s.pos while s.scan_until(/; /)
  t % 65_536
end
row("StringScanner#getch and peek", 500, ->(n) { StringScanner.new("aé" * n) }) do |_, s|
  t = 0
  (t += s.peek(1).size; s.getch) until s.eos?
  t
end
row("StringScanner#<< while scanning", 300) do |n|
  s = StringScanner.new(+"")
  n.times { s << "é word "; s.scan(/é /); s.scan(/\w+ /) }
  s.pos
end
# --- Regexp
row("Regexp#match along a String", 200, ->(n) { "key=é1 " * n }, bound: 60) do |_, s|
  at = k = 0
  while m = /(\w+)=/.match(s, at)
    at = m.end(0)
    k += 1
  end
  k
end
row("Regexp#match? with nested repeats", 500, ->(n) { "a" * n + "é" }) { |_, s| s.match?(/\A(a|a)*b/) ? 0 : s.size }
row("Regexp with look-around", 300, ->(n) { "ab1 " * n }) { |_, s| s.scan(/(?<=b)\d(?= )/).size }
row("Regexp with back-references", 200, ->(n) { "abab " * n }) { |_, s| s.scan(/(ab)\1/).size }
row("Regexp#match? on bytes", 1_000, ->(n) { "\xff\xfeab".b * n }) { |_, s| s.match?(/\x00/n) ? 0 : s.bytesize }
row("Regexp.union of many", 60, ->(n) { Array.new(n) { |i| "w#{i}x" } }) do |n, a|
  r = Regexp.union(a)
  r.match?("-" * n) ? 0 : r.source.size
end
row("MatchData#named_captures", 200) do |n|
  t = 0
  n.times { |i| t += /(?<a>\d+)-(?<b>\w)/.match("é#{i}-x").named_captures.size }
  t
end
# --- Class, Module, Object, Proc, Method
class Filled
  def fill = 20.times { |i| instance_variable_set(:"@v#{i}", i) }
end

class Keyed
  attr_reader :a

  def initialize(a:, b: 1) = @a = a + b
end

class Ghost
  def method_missing(name, *) = name.size
  def respond_to_missing?(*) = true
end

row("Class.new", 100) { |n| Array.new(n) { Class.new }.size }
row("Class#subclasses", 100) do |n|
  base = Class.new
  kept = Array.new(n) { Class.new(base) }
  base.subclasses.size + kept.size
end
row("define_method", 200) do |n|
  c = Class.new
  n.times { |i| c.define_method(:"m#{i}") { i } }
  o = c.new
  o.m0 + o.public_send(:"m#{n - 1}")
end
row("Module#include", 60) { |n| t = 0; n.times { c = Class.new { include Module.new }; t += c.ancestors.size & 1 }; t }
row("a deep ancestry", 30, bound: 60) do |n|
  c = Class.new { def deep = 1 }
  n.times { c = Class.new(c) }
  c.new.deep + c.ancestors.size
end
row("Object#extend", 100) do |n|
  m = Module.new { def x = 1 }
  t = 0
  n.times { o = Object.new; o.extend(m); t += o.x }
  t
end
row("define_singleton_method", 100) do |n|
  t = 0
  n.times { |i| o = Object.new; o.define_singleton_method(:x) { i }; t += o.x }
  t
end
row("instance variables of many objects",
    60, ->(_) { Filled }) do |n, c|
  t = 0
  n.times { o = c.new; o.fill; t += o.instance_variables.size }
  t
end
row("many instance variables of one object", 100, ->(_) { Object.new }) do |n, o|
  n.times { |i| o.instance_variable_set(:"@v#{i}", i) }
  t = 0
  n.times { |i| t += o.instance_variable_get(:"@v#{i}") }
  t
end
row("class variables and constants", 100) do |n|
  c = Class.new
  n.times { |i| c.const_set(:"C#{i}", i); c.class_variable_set(:"@@v#{i}", i) }
  c.constants.size + c.class_variables.size
end
row("Class#new with keywords",
    500, ->(_) { Keyed }) do |n, c|
  t = 0
  n.times { |i| t += c.new(a: i).a }
  t
end
row("Object#method and unbind", 300) { |n| t = 0; n.times { |i| t += i.method(:+).unbind.bind(1).call(1) }; t }
row("Proc#curry and >>", 200) { |n| f = ->(x) { x + 1 }; n.times { |i| g = f >> f; i + g.call(1) }; f.call(n) }
row("closures kept", 1_000) { |n| procs = Array.new(n) { |i| -> { i } }; procs.sum(&:call) }
row("Object#freeze, dup, clone", 500) { |n| t = 0; n.times { |i| t += [i].freeze.dup.size + [i].clone.size }; t }
row("ObjectSpace.each_object", 200, ->(n) { c = Class.new; [c, Array.new(n) { c.new }] }, bound: 20) do |_, (c, _)|
  ObjectSpace.each_object(c).count
end
row("ObjectSpace::WeakMap", 200, ->(n) { Array.new(n) { Object.new } }) do |_, a|
  m = ObjectSpace::WeakMap.new
  a.each { |o| m[o] = o }
  a.count { |o| m[o] }
end
row("ObjectSpace::WeakKeyMap", 200, ->(n) { Array.new(n) { |i| "k#{i}" } }) do |_, a|
  m = ObjectSpace::WeakKeyMap.new
  a.each { |o| m[o] = 1 }
  a.sum { |o| m[o] }
end
row("WeakRef", 100, ->(n) { Array.new(n) { Object.new } }) { |_, a| a.count { |o| WeakRef.new(o).weakref_alive? } }
row("object_id and _id2ref's table", 300, ->(n) { Array.new(n) { Object.new } }) { |_, a| a.map(&:object_id).uniq.size }
row("define_finalizer", 100, ->(n) { Array.new(n) { Object.new } }, bound: 20) do |_, a|
  a.each { |o| ObjectSpace.define_finalizer(o, proc {}) }
  a.each { |o| ObjectSpace.undefine_finalizer(o) }
  a.size
end
# --- Struct, Data, Comparable, Enumerator
row("Struct.new(:a, :b)", 40) { |n| t = 0; n.times { t += Struct.new(:a, :b).new(1, 2).to_a.size }; t }
row("Struct.new of many members", 400, ->(n) { Array.new(n) { |i| :"m#{i}" } }) { |_, m| Struct.new(*m).members.size }
row("Data.define of many members", 400, ->(n) { Array.new(n) { |i| :"m#{i}" } }) { |_, m| Data.define(*m).members.size }
row("Struct's members, ==, hash", 500, ->(_) { Struct.new(:a, :b) }) do |n, c|
  h = {}
  n.times { |i| h[c.new(i, "é")] = i }
  h[c.new(n - 1, "é")]
end
row("Data#with", 300, ->(_) { Data.define(:a, :b) }) do |n, c|
  d = c.new(a: 0, b: 0)
  n.times { |i| d = d.with(a: i) }
  d.a
end
row("Enumerator#next", 200, ->(n) { (0...n).each }) { |n, e| t = 0; n.times { t += e.next }; t }
row("Enumerator::Lazy", 300) { |n| (0..).lazy.map { |i| i * 2 }.select { |i| i % 3 == 0 }.first(n).size }
row("Enumerator.produce and take", 300) { |n| Enumerator.produce(1) { |i| i + 1 }.take(n).sum }
row("each_with_index, with_object, inject", 500, ->(n) { (0...n).to_a }) do |_, a|
  a.each_with_index.map { |x, i| x - i }.inject(:+) + a.each_with_object([]) { |i, l| l << i }.size
end
row("Comparable#clamp", 1_000) { |n| t = 0; n.times { |i| t += i.clamp(3, 9) }; t }
# --- Exception, Thread, Fiber, Queue, Mutex
row("raise and rescue", 200) do |n|
  t = 0
  n.times { |i| begin; raise ArgumentError, "é#{i}"; rescue ArgumentError => e; t += e.message.size; end }
  t
end
def nested(depth, &block) = depth == 0 ? yield : nested(depth - 1, &block)
row("raise through deep frames", 100) do |n|
  begin
    nested(n) { raise "é" }
  rescue => e
    e.backtrace.size >= n ? n : 0
  end
end
row("catch and throw", 300) { |n| t = 0; n.times { |i| t += catch(:done) { throw :done, i } }; t }
row("caller_locations(1, 1) at a depth", 100) do |n|
  t = 0
  nested(n) { n.times { t += caller_locations(1, 1).size } }
  t
end
row("binding and local_variable_set", 30) do |n|
  t = 0
  n.times { |i| b = binding; b.local_variable_set(:fresh, i); t += b.local_variable_get(:fresh) }
  t
end
row("Thread.new and join", 40) { |n| t = 0; n.times { |i| t += Thread.new { i }.value }; t }
row("many sleeping Threads", 20) do |n|
  q = Queue.new
  list = Array.new(n) { Thread.new { q.pop } }
  n.times { |i| q << i }
  list.sum(&:value)
end
row("Queue#<< and pop", 600) { |n| q = Queue.new; n.times { |i| q << i }; t = 0; t += q.pop until q.empty?; t }
row("Mutex#synchronize", 500) { |n| m = Mutex.new; t = 0; n.times { m.synchronize { t += 1 } }; t }
row("Monitor#synchronize", 300) do |n|
  require "monitor"
  m = Monitor.new
  t = 0
  n.times { m.synchronize { t += 1 } }
  t
end
row("Thread#[] and thread_variable_set", 400) do |n|
  th = Thread.current
  n.times { |i| th[:growth] = i; th.thread_variable_set(:growth, i) }
  th[:growth]
end
row("Fiber.new and resume", 200) { |n| t = 0; n.times { |i| t += Fiber.new { i }.resume }; t }
row("many suspended Fibers", 100) do |n|
  list = Array.new(n) { |i| Fiber.new { Fiber.yield i; 1 } }
  list.sum(&:resume) + list.sum(&:resume)
end
row("Fiber.yield back and forth", 400) do |n|
  f = Fiber.new { i = 0; loop { Fiber.yield(i += 1) } }
  t = 0
  n.times { t += f.resume }
  t
end
# --- require, eval, marshalling
row("require of what is loaded", 300) { |n| t = 0; n.times { t += 1 unless require "set" }; t }
row("require of many files", 30) do |n|
  Dir.mktmpdir do |d|
    n.times { |i| File.write("#{d}/growth_#{n}_#{i}.rb", "") }
    $LOAD_PATH.unshift(d)
    k = n.times.count { |i| require "growth_#{n}_#{i}" }
    k += n.times.count { |i| !require("growth_#{n}_#{i}") }
    $LOAD_PATH.shift
    k
  end
end
row("$LOADED_FEATURES.include?, then require", 60, bound: 80) do |n|
  n.times { |i| $LOADED_FEATURES << "/growth/#{n}/#{i}.rb" }
  k = n.times.count { require "set" }
  $LOADED_FEATURES.reject! { |f| f.start_with?("/growth/") }
  k + n
end
row("eval of short texts", 30) { |n| t = 0; n.times { |i| t += eval("#{i} + 1") }; t }
row("eval of a long text", 60) { |n| eval("t = 0\n" + "t += 1\n" * n + "t") }
row("Binding#local_variable_set of new variables", 60, bound: 20) do |n|
  b = binding
  n.times { |i| b.local_variable_set("growth#{i}", i) }
  b.local_variables.size
end
row("class_eval of methods", 40) do |n|
  c = Class.new
  n.times { |i| c.class_eval("def m#{i} = #{i}") }
  c.instance_methods(false).size
end
row("instance_eval and instance_exec", 300) do |n|
  t = 0
  n.times { |i| t += instance_exec(i) { |x| x } + instance_eval { 1 } }
  t
end
row("Marshal.dump and load", 200, ->(n) { Array.new(n) { |i| { "é#{i}" => [i, 1.5, :a] } } }) do |_, a|
  Marshal.load(Marshal.dump(a)).size
end
row("TracePoint on calls", 200) do |n|
  k = 0
  TracePoint.new(:call) { |tp| k += 1 if tp.method_id == :nested }.enable { n.times { nested(0) { } } }
  k
end
row("method_missing and respond_to?", 300, ->(_) { Ghost }) do |n, c|
  o = c.new
  t = 0
  n.times { t += o.anything + (o.respond_to?(:other) ? 1 : 0) }
  t
end

# --- Measurement
def mark = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# `cargo xtask growth` counts the instructions between two calls of clock_getres, which nothing else here calls.
def marked_for_counting
  Process.clock_getres(Process::CLOCK_MONOTONIC)
  result = yield
  Process.clock_getres(Process::CLOCK_MONOTONIC)
  result
end

def measure(row, size)
  object = row.setup&.call(size)
  GC.start
  from = mark
  result = row.work.call(size, object)
  [result, mark - from]
end

SIZES = [1, 2, 4, 8]

def report(row)
  row.work.call(row.n, row.setup&.call(row.n))
  results, times = SIZES.map { |factor| measure(row, row.n * factor) }.transpose
  milliseconds = times.map { |time| format("%8.3f", time * 1000) }.join(" ")
  puts format("%-74s %5.1f of %2d  %s  %p", row.name, times[3] / times[0], row.bound, milliseconds, results[0])
end

# The input of `cargo xtask growth`: each row's name, bound and result at each size.
def report_for_counts(row)
  row.work.call(row.n, row.setup&.call(row.n))
  results = SIZES.map do |factor|
    object = row.setup&.call(row.n * factor)
    GC.start
    marked_for_counting { row.work.call(row.n * factor, object) }
  end
  puts [row.name, row.bound, *results].join("\t")
end

mode = ARGV.first&.start_with?("--") ? ARGV.shift : nil
rows = ARGV.empty? ? ROWS : ROWS.select { |row| row.name.match?(Regexp.new(ARGV[0])) }
$stdout.sync = true
rows.each do |row|
  case mode
  when "--results" then puts "#{row.name}\t#{measure(row, row.n)[0]}"
  when "--counts" then report_for_counts(row)
  else report(row)
  end
end
