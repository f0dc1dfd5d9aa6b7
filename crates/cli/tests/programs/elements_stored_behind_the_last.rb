# Elements behind the last one of an Array, and Arrays of a given size, hot.
def append(list, v) = list << v
def push(list, v) = list.push(v)
def fresh(n) = Array.new(n) { |i| i.to_s }
def four = Array.new(4) { |i| [i] }
def filled(n) = Array.new(n, :x)
def empty(n) = Array.new(n)
def mapped(list) = list.map { |v| [v] }
def replaced(list) = list.map! { |v| v.to_s }

class List < Array
  def <<(v) = super([v])
end
class Named < Array
  def initialize(name)
    super(2, name)
    @name = name
  end
  attr_reader :name
end

60.times do
  list = []
  10.times { |i| append(list, i.to_s) }
  push(list, :last)
  fresh(3)
  four
  filled(3)
  empty(2)
  mapped([1, 2])
  replaced([1, 2, 3])
  Named.new("n")
end

# Room in the cell ends, and the elements move to a buffer.
list = []
70.times { |i| append(list, i.to_s); raise "length" unless list.size == i + 1 && list[i] == i.to_s }
p list.size, list.last
p push(list.first(2), "c"), append(list[1, 2], :d)
p append(append(List.new, 1), 2), List.new.push(1)

# Shared and frozen elements.
a = Array.new(40) { |i| i }
b = a.dup
append(a, :a)
push(b, :b)
p a.size, a.last, b.last
begin
  append([1].freeze, 2)
rescue => e
  p e.class, e.message
end
begin
  push([].freeze, 2)
rescue => e
  p e.class
end

p fresh(0), fresh(5), fresh(70).size, fresh(70).last, four, filled(0), filled(4), empty(3), empty(100).size
named = Named.new("x")
p named, named.class, named.name
[-1, 2**62, "a", 1.5].each do |size|
  p empty(size)
rescue => e
  p e.class, e.message
end
p empty([1, 2]), Array.new, Array.new(2, 3)

# A block that changes the Array that is being made.
made = nil
def odd(n)
  Array.new(n) do |i|
    yield i
    i
  end
end
p odd(3) { |i| ObjectSpace.garbage_collect if i == 1 }
class Array
  def self.seen = @seen ||= []
end
p mapped((1..65).to_a).last, replaced((1..65).to_a).last
frozen = [1, 2, 3]
begin
  frozen.map! { |v| frozen.freeze; v.to_s }
rescue => e
  p e.class, frozen
end
shrunk = [1, 2, 3, 4]
p shrunk.map! { |v| shrunk.clear if v == 1; v }

# Values that are not references, and `false`.
mixed = []
[1, nil, false, true, :s, 1.5, 2**70, "t"].each { |v| append(mixed, v) }
p mixed

# Redefined methods.
class Array
  def <<(v) = :own
end
p append([], 1)
class Array
  def initialize(*) = super()
end
p empty(3), fresh(2)
