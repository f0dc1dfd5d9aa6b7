# Variables that were captured in a Fiber which is collected before it ends. The output was recorded from CRuby 4.1dev.
def captured
  Fiber.new do
    value = "kept"
    many = Array.new(3) { |i| "#{value} #{i}" }
    Fiber.yield [-> { value }, -> { value = many.last }, binding]
  end.resume
end

def overwritten(count)
  Array.new(count) do
    fiber = Fiber.new { other = "other"; Fiber.yield; other }
    fiber.resume
    fiber
  end
end

all = Array.new(20) { captured }
GC.start
others = overwritten(20)
p all.map { |get, _, _| get.call }.tally
all.each { |_, set, _| set.call }
GC.start
p all.map { |get, _, around| [get.call, around.local_variable_get(:value), around.local_variable_get(:many)] }.uniq
p others.map(&:resume).tally

# The stack of a thread that a fork leaves behind is not visited.
queue, done = Queue.new, Queue.new
Thread.new { value = "of the thread #{1 + 1}"; queue << -> { value }; done.pop }
get = queue.pop
child = fork do
  GC.start
  made = Array.new(1000) { |i| "other #{i}" }
  p get.call, made.size
  $stdout.flush
end
Process.wait(child)
