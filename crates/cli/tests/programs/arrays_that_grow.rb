# Elements appended by compiled code: in the cell, in buffers of all sizes, shared and frozen ones. The output was
# recorded from CRuby 4.1dev.
def fill(list, count)
  i = 0
  while i < count
    list << "#{i}"
    i += 1
  end
  list
end

[0, 1, 3, 4, 20, 63, 64, 65, 500, 513, 3000].each do |count|
  list = fill([], count)
  p [count, list.size, list.last, list.uniq.size]
end

# Others see the same elements.
whole = fill([], 300)
part, copy = whole[100..], whole.dup
fill(whole, 3)
fill(part, 2)
copy.shift(250)
fill(copy, 40)
p whole.size, part.size, copy.size, whole[-4..], part[-3..], copy.first, copy.last, whole[299], part[199]

# The front is gone, then there is room behind.
queue = fill([], 100)
200.times { |i| queue.shift; queue << i }
p queue.size, queue.first, queue.last

frozen = fill([], 70).freeze
begin
  fill(frozen, 1)
rescue FrozenError => e
  p e.class, frozen.size
end
sub = fill(Class.new(Array).new, 90)
p sub.size, sub.last

# An old Array that refers to new objects.
old = fill([], 40)
GC.start
fill(old, 700)
GC.start
p old.size, old.sum(&:size)
p (1..2000).map { |v| v.to_s }.last, (1..2000).select(&:even?).size, (1..200).map { |v| [v] * 2 }.flatten.sum
p [0.0].cycle.first(600).map { |v| v + 1 }.sum, [[1, 2]].cycle.first(100).flat_map { |v| v }.size
