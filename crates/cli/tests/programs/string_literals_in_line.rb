# String literals, hot: each evaluation makes a String of its own, in all lengths and encodings.
def empty = ""
def short = "abc"
def eight = "12345678"
def nine = "123456789"
def most = "123456789012345678901234"
def more = "1234567890123456789012345"
def accents = "äöü"
def invalid = "\xff\x00a"
def nul = "a\0b"
def appended = "x" << "y" << "z"
def grown = (s = ""; 40.times { |i| s << i.to_s }; s)
def changed = (s = "abc"; s[0] = "X"; s.concat("tail that is longer than the cell"); s)
def in_array = ["a", "b" * 2]

ways = %i[empty short eight nine most more accents invalid nul appended grown changed in_array]
first = ways.map { |way| method(way).call }
200.times do
  empty; short; eight; nine; most; more; accents; invalid; nul; appended; grown; changed; in_array
end
now = ways.map { |way| method(way).call }
p now == first, first
p now.flatten.map { |s| [s.encoding.to_s, s.valid_encoding?, s.ascii_only?, s.bytesize, s.frozen?] }.uniq
p short.equal?(short), short.hash == "abc".hash, {short => 1}["abc"], short.to_sym, most + more
kept = Array.new(3000) { short << "d" }
p kept.uniq, short
