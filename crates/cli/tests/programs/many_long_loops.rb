# More loops than an iterator is compiled for: each continues in a copy of the iterator for its block. The output was
# recorded from CRuby 4.1dev.
LIST = (1..1500).to_a.freeze
sum = 0
LIST.each { |v| sum += v }
LIST.each { |v| sum -= v / 2 }
LIST.each { |v| sum ^= v }
LIST.each { |v| sum |= v & 6 }
LIST.each { |v| sum += 1 if v.odd? }
LIST.each { |v| sum += v % 3 }
LIST.each { |v| sum += v.to_s.size }
p sum

p LIST.each { |v| break v * 2 if v == 1200 }
kept = []
LIST.each { |v| next if v % 300 != 0; kept << v }
p kept

def first_over(limit) = LIST.each { |v| return v if v > limit }
p first_over(1234), first_over(3), first_over(1400)

begin
  LIST.each { |v| raise "at #{v}" if v == 1000 }
rescue => e
  p e.message, e.backtrace.size
end

# Variables that blocks capture, and closures that outlive the loop.
closures = []
LIST.each { |v| closures << -> { v + sum } if v % 500 == 0 }
p closures.map { |c| c.call - sum }
LIST.each { |v| other = v; sum = binding.local_variable_get(:other) if v == 1499 }
p sum

# Loops in loops; other values than elements; several parameters.
pairs = 0
20.times { |i| LIST.each { |v| pairs += 1 if v == i } }
p pairs
[[1, 2]].cycle.first(1000).each { |a, b| pairs += b - a }
p pairs
1500.times { |i| pairs += i & 1 }
1500.times { |i| pairs -= i & 2 }
1500.times { |i| pairs ^= i }
1500.times { |i| pairs += 1 if i > 1000 }
1500.times { |i| pairs += i if i < 5 }
1500.times { |i| pairs += LIST[i] == i + 1 ? 1 : 0 }
1500.times { |i| pairs += 2 }
p pairs
p LIST.map { |v| v + 1 }.sum, LIST.map { |v| v * 2 }.sum, LIST.map { |v| -v }.sum, LIST.map { |v| v.to_s }.last,
  LIST.map { |v| [v] }.last, LIST.map { |v| v.even? }.tally, LIST.map { |v| v & 1 }.sum, LIST.map { |v| v ^ 1 }.sum

# The same loop again, and with a method that changes meanwhile.
def loop_again(by) = LIST.each { |v| $total = ($total || 0) + v * by.to_i }
3.times { |i| loop_again(i) }
class Integer
  alias old_to_i to_i
  def to_i = 7
end
loop_again(1)
class Integer
  alias to_i old_to_i
end
p $total
events = []
TracePoint.new(:line) { |point| events << point.lineno if point.path == __FILE__ }.enable { LIST.first(40).each { |v| v } }
p events.size
p LIST.each_with_index.select { |v, i| v + i > 2995 }
fiber = Fiber.new { LIST.each { |v| Fiber.yield v if v % 700 == 0 }; :done }
p fiber.resume, fiber.resume, fiber.resume
LIST.each { |v| GC.start if v == 1100; $last = +"#{v}" }
p $last
