# Enumerators show the arguments that were given.
class Each
  include Enumerable
  def each = yield(1)
  def inspect = "Each"
end
p [1].find, [1].find(nil), [1].detect(1), Each.new.find, Each.new.detect(nil)
p Each.new.max_by, Each.new.max_by(nil), Each.new.min_by(2), Each.new.each_slice(1.5), Each.new.each_cons(1.5)
p [1].each.with_index, [1].each.with_index(nil), [1].each.with_index(2), [4].each.with_index.to_a, [4].each.with_index(2).to_a
p [1, 2].find { it > 1 }, [1].find(-> { 5 }) { false }, [1].find(nil) { false }, Each.new.find(-> { 5 }) { false }
p [3, 1].max_by(nil) { it }, Each.new.max_by { it }, Each.new.each_slice(2).to_a
begin
  Object.const_get(1)
rescue TypeError
  p $!
end
begin
  {a: 1}.to_h { nil }
rescue TypeError
  p $!
end
begin
  Time.at(nil)
rescue TypeError
  p $!
end
r, w = IO.pipe
begin
  r.wait_writable(0)
rescue IOError
  p $!
end
begin
  w.wait_readable(0)
rescue IOError
  p $!
end
w << "x"
p r.wait_readable(0) == r, w.wait_writable(0) == w

# Keywords appear as they were given, converted by `to_s`.
p File.foreach("a"), File.foreach("a", chomp: false), IO.foreach("a", "x", 3, mode: "rb", chomp: true)
p Dir.foreach("a"), Dir.each_child("a", encoding: "UTF-8"), 1.to_enum(:x, a: nil, b: :s, c: "é", d: [1, "x"])
lines = File.foreach(__FILE__, chomp: true)
p lines.first, lines.first.frozen?, File.foreach(__FILE__, "u", 5, mode: "rb").first(2), File.foreach(__FILE__, "").first.size
