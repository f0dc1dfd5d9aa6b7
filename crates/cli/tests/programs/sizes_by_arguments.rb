# Sizes of Enumerators that depend on arguments, and what checks these.
def show
  p yield
rescue StandardError => error
  p error.class
end

list = [1, 2, 3, 4]
2.times do
  [-1, 0, 1, 2, 4, 5, 2.9].each do |count|
    p %i[combination permutation repeated_combination repeated_permutation].map { |name| list.send(name, count).size }
  end
  p list.permutation.size, [].permutation.size, [].repeated_combination(2).size, list.cycle.size, [].cycle.size
  p list.cycle(2).size, list.cycle(-1).size, list.each_slice(3).size, list.each_cons(3).size, list.each_cons(9).size
  p 1.upto(4).size, 4.upto(1).size, 4.downto(1).size, 1.downto(4).size, 1.upto(3.5).size, 5.downto(1.5).size
end
p list.combination(2), list.permutation, list.each_slice(3), list.cycle(2), 1.upto(4), 4.downto(1)
p list.combination(2).first(3), list.each_cons(2).to_a, 5.downto(1).inject(:*), list.cycle(2).to_a
p 1.upto(3).map { |x| x }
p list.combination(2).with_index(1).size, list.each_slice(2).with_index.to_a,
  list.combination(2).each(1).size rescue p $!
%i[combination permutation repeated_combination repeated_permutation cycle each_slice each_cons].each do |name|
  show { list.send(name, "x").class }
end
show { list.combination("x").size }
show { list.permutation("x").size }
show { list.each_slice(0) }
show { 1.upto("x").class }
show { 1.upto("x").size }
show { 1.downto(nil).size }
few = Struct.new(:a, :b, :c).new(1, 2, 3)
odd = Class.new { include Enumerable; def each = yield(1) }.new
[few, (1..7), odd, { a: 1 }, (1..), list.each, list.lazy].each do |these|
  p [these.each_slice(2).size, these.each_cons(2).size, these.cycle.size, these.cycle(2).size, these.cycle(-1).size]
  p [these.min_by.size, these.max_by(2).size, these.each_slice(2).first(2), these.each_slice(2).class]
end
p list.lazy.each_slice(2).size, list.lazy.each_slice(2).to_a
