# The least and greatest few of many, rows of products, code points in bulk, and what is asked for again.
[3, 2000].each do |size|
  numbers = Array.new(size) { |i| i * 7919 % 2003 }
  p numbers.max(2), numbers.min(1), numbers.max(0), numbers.min(size + 5).size, numbers.map(&:to_s).max(1)
  p numbers.map(&:to_s).min(1), numbers.map(&:to_f).max(1), numbers.max(2) { |a, b| b <=> a }
end
p [4, 4, 4, 1].min(2), [1, 2, 3, 4].max(2.9), ([1].max(-1) rescue $!.message), ([1, "a", 2, 3].max(2) rescue $!.class)

class List < Array; end
p [1, 2].product([3, 4]), [1, 2].product, [].product([1]), [1].product([]), [1, 2].product([3], [4, 5])
p ([1].product(1) rescue $!.message), [1].product(*[[2]] * 9), List[1].product(List[2]).first.class
p [1, 2].product([3]) { |row| p row }, Array.new(300, 1).product([2] * 300).size

p "aé日\u{10ffff}".unpack("U*"), "aé".unpack("U"), "aé".unpack("U5"), "日本x".unpack("UUa"), "éa1".unpack("U2C")
["a\xff", "é\xc3", "\xc0\x80"].each { |text| p((text.b.unpack("U*") rescue $!.message)) }
p ("é" * 300).unpack("U*").uniq

module Named; def name = 1; end
module Later; end
object = Object.new
2.times { object.extend(Named) }
Named.include(Later)
object.extend(Named)
p object.name, object.singleton_class.ancestors[1, 2], object.is_a?(Later)
class Both
  2.times { include Named, Comparable }
  2.times { prepend Later }
end
p Both.ancestors.first(4)

Pair = Struct.new(:a, :b)
p Pair.new(1, 2).to_h, Pair.new(1).to_h { |key, value| [value, key] }, (Pair.new.to_h(1) rescue $!.message)
p (1..3).each.zip([4, 5]), { a: 1 }.each_entry.zip([5]), [[1, 2]].each.zip([3])
p (1..2).zip(3..4), (1..2).each_entry.zip([1], [2])

shown = Object.new
def shown.to_s = (puts "to_s"; "x")
def shown.hash = (puts "hash"; super)
"a#{shown}"
"#{shown}"
"x" "#{shown}b" "c"
{ shown => "#{shown}" }
{ 1 => (puts "value"), **{} }

me = Process.pid
read, write = IO.pipe
fork { write.puts [Process.pid == me, Process.pid == $$, Process.ppid == me].inspect; write.close; exit!(0) }
write.close
p read.read, Process.pid == me
Process.wait
