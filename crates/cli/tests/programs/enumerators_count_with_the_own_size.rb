# The size of an Enumerator is that of the collection, unless the method comes from Enumerable, which calls `size`.
class List < Array
  def size = 99
  def length = 98
end

class Table < Hash
  def size = 99
end

class Pair < Struct.new(:a, :b)
  def size = 99
end

class Numbers < Range
  def size = 99
end

class Bag < Set
  def size = 99
end

def sizes(object, *calls) = calls.map { |name, *arguments| [name, object.public_send(name, *arguments).size] }

2.times do
  p sizes(List[1, 2], :each, :each_index, :reverse_each, :map, :select, :reject, :collect!, :sort_by!, :delete_if)
  p sizes(List[1, 2], [:combination, 1], [:permutation, 2], [:repeated_combination, 2], [:repeated_permutation, 2])
  p sizes(List[1, 2], [:cycle, 2], :cycle, [:cycle, -1], [:each_slice, 2], [:each_cons, 2], :each_with_index)
  p sizes(List[1, 2], :group_by, :partition, :flat_map, :filter_map, :sort_by, :min_by, [:each_with_object, 1])
  p sizes(Table[1, 2], :each, :each_pair, :each_key, :select, :reject, :delete_if, :transform_values, :filter!)
  p sizes(Table[1, 2], :map, :flat_map, :each_with_index, :group_by, [:each_slice, 2], :find_all)
  p sizes(Pair.new(1, 2), :each, :each_pair, :select, :map, :each_with_index)
  p sizes(Numbers.new(1, 3), :each, :reverse_each, :map, [:each_slice, 2])
  p sizes(Bag[1, 2], :each, :select!, :delete_if, :map)
  p (1..3).each.size, (1..).each.size, ("a".."c").each.size, ENV.each.size == ENV.size
end
