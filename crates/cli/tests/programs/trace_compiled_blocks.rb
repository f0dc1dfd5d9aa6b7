# Blocks of trace points run as machine code, because no events fire in them. Where events must fire in such a block,
# they do.

def work(x)
  y = x + 1
  y * 2
end

def helper(list, line)
  list << line
  list.size
end

# A block that is compiled while a trace point is set in its code: every line of `work` is reported, each time.
lines = Hash.new(0)
TracePoint.new(:line) { |point| lines[point.lineno] += 1 }.enable { 3_000.times { work(1) } }
p lines[5], lines[6]

# The block's own lines are traced once it runs as an ordinary block.
seen = []
block = proc { |point|
  seen.size
  helper(seen, point ? point.lineno : 0)
}
TracePoint.new(:call, &block).enable(target: method(:work)) { 3_000.times { work(1) } }
p seen.size, seen.uniq
inside = []
TracePoint.new(:line) { |point| inside << point.lineno }.enable(target: block) { 700.times { block.call(nil) } }
p inside.tally

# A method that blocks of trace points call, and the program as well.
hits = 0
events = []
count = TracePoint.new(:line) { hits += helper([], 1) }
count.enable { 2_000.times { work(1) } }
p hits > 6_000
TracePoint.new(:line) { |point| events << point.lineno }.enable { 700.times { helper([], 1) } }
p events.tally.slice(10, 11)

# Events in the block of `allow_reentry`.
nested = 0
calls = TracePoint.new(:call) { |point| nested += 1 if point.method_id == :helper }
calls.enable
outer = TracePoint.new(:line) do |point|
  TracePoint.allow_reentry { helper([], 1) } if point.lineno == 5
end
outer.enable(target: method(:work)) { 2_000.times { work(1) } }
calls.disable
p nested

# An exception of a block ends the traced call; the block disables its own trace point.
turns = 0
stop = TracePoint.new(:line) do |point|
  turns += 1
  raise "enough" if turns == 2_500
end
begin
  stop.enable(target: method(:work)) { 3_000.times { work(1) } }
rescue RuntimeError => error
  p error.message, turns
end

# break, next and throw in a block.
times = 0
result = catch(:out) do
  TracePoint.new(:line) do
    times += 1
    next if times < 1_000
    throw :out, times
  end.enable(target: method(:work)) { 3_000.times { work(1) } }
end
p result

# A redefined operator reaches a compiled block.
sum = 0
adding = TracePoint.new(:line) { sum += 1 }
adding.enable(target: method(:work)) { 1_000.times { work(1) } }
p sum
class Integer
  alias plain_plus +
  def +(other) = plain_plus(other).plain_plus(other)
end
sum = 0
adding.enable(target: method(:work)) { work(1) }
class Integer
  alias + plain_plus
end
p sum
