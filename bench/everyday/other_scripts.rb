# Names in many scripts: normalization, case folding, truncation by grapheme clusters.
require "unicode_normalize/normalize"
names = ["Łukasz Żółć", "José Ñandú", "Ελένη Παπά", "Михаил Ёлкин", "Straße Größe", "山田 太郎",
         "e\u0301clair",
    "👩‍👩‍👧 family 🇩🇪"]
keys = Hash.new(0)
size = 0
4_000.times do |i|
  name = "#{names[i % names.size]} #{i % 50}"
  plain = name.unicode_normalize(:nfd).gsub(/\p{Mn}/, "").downcase.gsub(/[^\p{L}\p{N}]+/, "-")
  keys[plain] += 1
  size += name.upcase.size + name.downcase(:fold).size + name.capitalize.bytesize + name.reverse.size
  size += name.each_grapheme_cluster.count + name.scan(/\p{Lu}/).size + name.codepoints.max % 100
  size += name.encode("UTF-16LE").bytesize
  size += name.center(30, "·").size + name[2,
      5].bytesize + name.index("a").to_i + (name.casecmp?(name.swapcase) ? 1 : 0)
end
puts keys.size, size, keys.keys.first(3).inspect, "ß".upcase, names.sort.first, names.map(&:size).inspect
