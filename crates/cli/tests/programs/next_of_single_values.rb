# Enumerator#next and its relatives: nothing, one value, several values, an Array as one value, in any order.
def steps
  yield
  yield 1
  yield 1, 2
  yield [3]
  yield [3, 4]
  yield nil
  yield []
  yield [], 5
  :result
end

300.times do |turn|
  quiet = turn != 0 && turn != 299
  e = to_enum(:steps)
  nexts = Array.new(8) { e.next }
  stop = (e.next rescue $!)
  again = (e.next rescue $!)
  e.rewind
  values = Array.new(8) { e.next_values }
  e.rewind
  peeks = Array.new(8) { [e.peek, e.peek_values, e.peek, e.next] }
  e.rewind
  mixed = Array.new(4) { [e.next, e.peek_values, e.next_values] }
  e.rewind
  half = [e.next, e.next, e.peek]
  e.rewind
  after = [e.next, e.next, e.next]
  raising = Enumerator.new { |y| y.yield(1, 2); y << 3; raise "inside" }
  raised = [raising.next, raising.next, (raising.next rescue $!.message), raising.next]
  fed = []
  e = Enumerator.new { |y| fed << y.yield(1) << y.yield(2, 3) << y.yield }
  e.next
  e.feed :a
  e.next
  e.feed :b
  e.next
  (e.next rescue fed << $!.result)
  pairs = { a: 1, b: 2 }.each
  rows = [pairs.next, pairs.next_values]
  indexes = %w[a b].each_with_index
  rows << indexes.next << indexes.next_values
  next if quiet
  p nexts, stop.result, again.result, values, peeks, mixed, half, after, raised, fed, rows
end

# What is iterated may itself call Fiber.yield: an Array is taken for the values of a step.
yields = Enumerator.new { [5, [1], [], [1, 2], [[3]], nil].each { |v| Fiber.yield(v) } }
p 6.times.map { yields.next }
