# Hashes are searched for Strings: of other encodings, of subclasses whose `eql?` decides, as holes and by identity.
class Own < String
  # Keys with a few bits of their hashes in common are compared, too.
  def eql?(other) = (print "?" if to_s == other.to_s; super)
  def hash = super
end

def look(h, key) = [h[key], h.key?(key), h.fetch(key, :none), h.dig(key)]

[0, 12].each do |more|
  h = {"a" => 1, Own.new("own") => 2, "é" => 3, "" => 4}
  more.times { |n| h["more #{n}"] = n }
  60.times { look(h, "a") }
  ["a", "a".b, "a".encode("UTF-16LE"), "é", "é".b, "é".encode("ISO-8859-1"), "", "".b, "own", Own.new("a"), :a,
   "absent"].each { |key| p look(h, key) }
  h.delete("a")
  p look(h, "a"), h.delete("é"), h.size
  h.compare_by_identity
  key = "kept"
  h[key] = 5
  p look(h, key), look(h, "kept".dup)
end
