# Calls the extension of thin.c, and prints the results.
require "thin"

p Thin.no_arguments, Thin.one(1), Thin.three(1, 2, 3), Thin.packed(1, [2])
p Thin.any(1), Thin.any(1, 2, 3, a: 4), Thin.any(1, {b: 1}) { }.size
begin
  Thin.any
rescue ArgumentError => e
  p e.message
end
begin
  Thin.one(1, 2)
rescue ArgumentError => e
  p e.message
end
begin
  Thin.raises("it")
rescue ArgumentError => e
  p e.message, e.backtrace_locations.first.label
end

p Thin.protects(-> { 5 }), Thin.protects(-> { raise KeyError })
p((Thin.protects_and_jumps(-> { raise IOError, "again" }) rescue [$!.class, $!.message]))
p((Thin.protects_and_raises(-> { raise IOError, "seen" }) rescue $!.message), Thin.caught)
p(catch(:out) { Thin.protects_and_jumps(-> { throw :out, 7 }) })
p Thin.notes
p Thin.ensures(-> { 6 }), (Thin.ensures(-> { raise "inside" }) rescue $!.message), Thin.notes
p Thin.rescues(-> { raise TypeError, "wrong" }), (Thin.rescues(-> { raise IOError, "passes" }) rescue $!.message)

p Thin.yields(4) { |i| i * 10 }, Thin.yields(3) { |i| break i if i == 1; 0 }
def leaves = Thin.yields(3) { |i| return [:returned, i] }
p leaves
p Thin.block_calls([1, 2]), Thin.block_calls([1, 99, 2])
begin
  Thin.yields(1)
rescue LocalJumpError => e
  p e.class
end

p Thin.upcase("abc"), Thin.upcase("x" * 300).size, Thin.sums([1, 2, 3]), Thin.inverted({a: 1, "b" => 2})
p((Thin.sums(nil) rescue $!.message), (Thin.sums([:a]) rescue $!.message), (Thin.upcase(1) rescue $!.message))
p Thin::VERSION, Thin::VERSION.frozen?

class Sub < Thin::Counter
  def initialize(start) = super(start + 1)
end
counter = Sub.new(1)
1000.times { |i| counter.add([i, "text #{i}"]) }
GC.start
GC.compact
p counter.count, counter.last
20_000.times { Thin::Counter.new(0).add(Object.new) }
GC.start
p Thin.freed > 10_000
p((Thin::Counter.instance_method(:count).bind_call(Object.new) rescue $!.class))

fiber = Fiber.new do
  Thin.protects(-> { Fiber.yield 1; raise TypeError })
end
p fiber.resume, Thin.protects(-> { fiber.resume }), Thin.protects(-> { raise KeyError })
p Thread.new { Thin.protects(-> { Thread.pass; raise IOError }) }.value
def deep(n) = Thin.yields(1) { deep(n + 1) }
begin
  deep(0)
rescue SystemStackError => e
  p e.message
end
