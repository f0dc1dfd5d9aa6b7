# sort and sort! with a block: all lengths of runs, results of other classes than Integer, and what the block may do.
def descending(list) = list.sort { |a, b| b <=> a }
def ascending(list) = list.dup.sort! { |a, b| a <=> b }

seed = 7
numbers = Array.new(300) { seed = (seed * 1103515245 + 12345) % 2147483648 }
lengths = [*0..30, 59, 60, 61, 100, 300]
120.times do
  lengths.each do |length|
    list = numbers.first(length)
    sorted = list.sort
    raise "sort of #{length}" unless descending(list) == sorted.reverse && ascending(list) == sorted
    raise "sorted already" unless descending(sorted.reverse) == sorted.reverse && ascending(sorted) == sorted
    raise "changed" unless list == numbers.first(length)
  end
end

def by(result) = [3, 1, 2].sort { |a, b| result.call(a, b) }
def raised
  yield.inspect
rescue => e
  "#{e.class}: #{e.message}"
end
class Order
  def initialize(n) = @n = n
  def >(n) = @n > n
  def <(n) = @n < n
end
def report
  [raised { by(->(a, b) { (a <=> b).to_f }) }, raised { by(->(a, b) { (a <=> b) * 2**80 }) },
   raised { by(->(a, b) { Rational(a - b, 3) }) }, raised { by(->(a, b) { Order.new(b - a) }) },
   
   raised { [1, 2].freeze.sort! { |a, b| a <=> b } }, raised { [[2, 1], [1, 2]].sort { |(a, _), (b, _)| a <=> b } },
   raised { [3, 1, 2].sort { |a| 0 }.size }, raised { [3, 1, 2].sort { break :stopped } },
   raised { %w[b a c].sort(&:<=>) }, raised { %w[b a c].sort(&:casecmp) },
   raised { [1, 3, 2].sort(&->(a, b) { b <=> a }) }, raised { [1, 3, 2].sort(&->(a) { 0 }) }]
end
puts report
100.times { report }
puts report == report

# The block sees the receiver unsorted, and its changes have no effect.
list = [4, 3, 2, 1]
seen = []
list.sort! { |a, b| seen << list.dup; list << 9 if list.size < 6; a <=> b }
p seen.first, seen.map(&:size).max, list
begin
  ["a", 1].sort { |a, b| a <=> b }
rescue ArgumentError => e
  puts e.message[0, 34]
end

class Listed < Array
  def sort = raise("not called")
end
p Listed.new([2, 1]).sort! { |a, b| a <=> b }.class, Listed[3, 1].sort!.to_a
p Class.new(Array).new([2, 1]).sort { |a, b| a <=> b }.class
p [3, 1, 2].each_entry.sort { |a, b| b <=> a }, { b: 1, a: 2 }.sort { |(a, _), (b, _)| a <=> b }
p [5, 3, 9, 1, 4].min(2) { |a, b| b <=> a }, [5, 3, 9, 1, 4].max(2) { |a, b| b <=> a }

def lines = [2, 1].sort { raise "here" }
begin
  lines
rescue => e
  puts e.backtrace.map { |line| line[/in .*/] }.first(3)
end
p [].sort { raise }, [1].sort { raise }
