# Cached code ranges while Strings change: the results equal those of a fresh String with the same bytes.
def fresh(s) = s.b.force_encoding(s.encoding)

def check(s)
  copy = fresh(s)
  facts = ->(t) { [t.valid_encoding?, t.ascii_only?, t.size, t.inspect] }
  puts [s.encoding, *facts.call(copy)].inspect
  puts "known wrongly: #{facts.call(s).inspect}" unless facts.call(s) == facts.call(copy)
end

starts = ["plain text", "naïf", "é", "\xE3\x81", "tail \xE3", ""]
parts = ["more", "ö", "\x82", "日本", "", 0.5.to_s, :sym.to_s]
changes = {
  append: ->(s, part) { s << part },
  concat: ->(s, part) { s.concat(part, part) },
  insert: ->(s, part) { s.insert(s.size / 2, part) },
  prepend: ->(s, part) { s.prepend(part) },
  behind: ->(s, part) { s[s.size..] = part },
  front: ->(s, part) { s[0, 1] = part unless s.empty? },
  slice: ->(s, _) { s.slice!(0) },
  chop: ->(s, _) { s.chop! },
  times: ->(s, part) { s.replace((s + part) * 2) },
  just: ->(s, part) { s.replace(s.ljust(12, part.empty? ? " " : part)) if part.valid_encoding? },
  binary: ->(s, part) { s.force_encoding("BINARY") << part.b; s.force_encoding("UTF-8") },
  latin: ->(s, _) { s.force_encoding("ISO-8859-1"); s << "a" },
  byte: ->(s, _) { s.setbyte(0, 0x41) unless s.empty? },
  other: ->(s, _) { s.setbyte(-1, 0xE9) unless s.empty? },
}
changes.each do |name, change|
  puts name
  starts.product(parts) do |start, part|
    s = +start.dup
    s.valid_encoding?
    change.call(s, part.dup)
    change.call(s, part.dup) if s.size < 40
    check(s)
  rescue IndexError, ArgumentError, Encoding::CompatibilityError => error
    puts error.class
  end
end
long = "é" + "x" * 300 + "ö" + "y" * 300
long.valid_encoding?
check(long[1, 200])
check(long.byteslice(2, 400))
check(long.byteslice(1, 100))
check([1, [2.5, "é"], :s, [["\xff"]]].join("-"))
check("#{long[0, 3]}#{1}#{:s}")
