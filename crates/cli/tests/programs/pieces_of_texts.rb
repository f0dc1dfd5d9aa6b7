# Operations that look at many bytes at a time give the same results for texts of all lengths around those numbers.
alphabet = "aZ[@`{mN09 z"
texts = (0..70).map { |size| Array.new(size) { |i| alphabet[(i * 7 + size) % alphabet.size] }.join }
by_byte = lambda do |text, &change|
  text.each_byte.map { |byte| change.call(byte) }.pack("C*").force_encoding(text.encoding)
end
up = ->(byte) { byte.between?(97, 122) ? byte - 32 : byte }
down = ->(byte) { byte.between?(65, 90) ? byte + 32 : byte }
swap = ->(byte) { byte.between?(65, 90) ? byte + 32 : up.(byte) }

texts.flat_map { |text| [text, text.b, text.encode("UTF-8") + "é"] }.each do |text|
  ascii = text.ascii_only? || text.encoding == Encoding::BINARY
  options = ascii ? [] : [:ascii]
  wrong = { upcase: up, downcase: down, swapcase: swap }.reject do |name, change|
    expected = by_byte.call(text, &change)
    copy = text.dup
    text.public_send(name, *options) == expected &&
      copy.public_send(:"#{name}!", *options) == (expected == text ? nil : expected) && copy == expected
  end
  p [text, wrong.keys] unless wrong.empty?
  expected = text.empty? ? "" : by_byte.call(text[0], &up) + by_byte.call(text[1..], &down)
  p [:capitalize, text] if text.capitalize(*options) != expected
end

sets = ["", "a", "aZ", "aZ[", "a-d", "a-z", "^a", "^a-z", "aeiouxyz", "aeiouwxyz", "é", "aé", "z0-9"]
texts.each do |text|
  [text, text + "éa", text.b].each do |one|
    sets.each do |set|
      next if one.encoding == Encoding::BINARY && !set.ascii_only?
      expected = one.each_char.count { |char| char.count(set) == 1 }
      p [one, set, one.count(set), expected] if one.count(set) != expected
    end
  end
end
long = "the quick brown fox, \0 and é " * 500
p sets.map { |set| [long.count(set), long.b.count(set.b)] }

short = ["", "\0", "\0\0", "a", "a\0", "ab", "abc", "abcd", "abcd\0", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgha",
  "é", "\xff", "\xff".b, "é".b, "é".encode("ISO-8859-1"), "b".encode("UTF-16LE"), "ab\u{1f600}"]
p short.permutation(2).all? { |a, b| [a, b].max.equal?((a <=> b) >= 0 ? a : b) }
p short.permutation(2).all? { |a, b| [a, b].min.equal?((a <=> b) <= 0 ? a : b) }
list = short * 3 + texts
p list.max, list.min, list.sort.last == list.max, list.minmax.map(&:bytes)
[nil, :a].each { |other| (list + [other]).max rescue p $!.class }
class Late < String
  def <=>(other) = -super
end
p [Late.new("a"), "b", "c"].max, ["b", Late.new("a"), "c"].max, ["b", Late.new("a"), Late.new("c")].min

parts = ["é", "a", "", "ü" * 20, "b" * 20, "ß"]
parts.permutation(3).each do |three|
  ["", " ", "–", nil].each do |between|
    joined = three.join(between)
    expected = three[0] + between.to_s + three[1] + between.to_s + three[2]
    p [three, between] unless joined == expected && joined.valid_encoding? && joined.size == expected.size
  end
end
p ["é", "\xff", "a"].join("-").valid_encoding?, ["\xc3", "\xa9"].join.valid_encoding?, ["\xc3", "\xa9", "é"].join.size
class String
  undef_method :<=>
  def <=>(other) = other.size - size
end
p %w[a bbb cc].max, %w[bbb a cc].min
