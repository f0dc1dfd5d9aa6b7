# Structures nested deeper than the active calls that the recursion guard searches one by one.
# Expectations: CRuby 4.1dev.
Link = Struct.new(:value, :next)
def chain(length) = (1..length).inject(nil) { |rest, value| Link.new(value, rest) }
p chain(100) == chain(100), chain(100).hash == chain(100).hash, chain(100) == chain(99)

nested = []
100_000.times { nested = [nested] }
p nested.flatten, [1, [2, [3, [4, [5]]]]].flatten(2), [[1], 2].flatten(0)

itself = [1]
itself << itself
begin
  itself.flatten
rescue ArgumentError
  p $!.message
end
p itself.flatten(1).size

# An Array in 40 others that contains the outermost.
inner = []
outer = 40.times.inject(inner) { |array, _| [array] }
inner << outer
p outer.inspect.size, outer == outer, outer.hash == outer.hash

# An exception leaves calls behind; the next ones see none of them.
failing = Class.new { def inspect = raise("stop") }.new
inner[0] = failing
p 3.times.map { outer.inspect rescue $!.message }
inner[0] = 7
p outer.inspect.size, outer.to_s == outer.inspect

# The same object is active in several calls beyond the limit.
pairs = 30.times.inject(1) { |pair, _| [pair] }
twice = 30.times.inject([pairs, pairs]) { |array, _| [array] }
p twice.inspect.count("["), twice == Marshal.load(Marshal.dump(twice))
