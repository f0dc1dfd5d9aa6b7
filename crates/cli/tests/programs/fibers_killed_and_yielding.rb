# The second `kill` answers false; nil for a missing variable makes no storage; what enumerators show and yield.
fiber = Fiber.new { 1 }
p fiber.kill.equal?(fiber), fiber.kill, fiber.alive?
ended = Fiber.new { 1 }
ended.resume
p ended.kill.equal?(ended)
Thread.new { Fiber[:none] = nil; p Fiber.current.storage }.join
p [4].cycle, [4].cycle(2), [1].min_by, [1].max_by, [1].max_by(1)
# What an enumerator iterates may yield from its fiber by itself.
[[], [:x], ["a"], [[1, 2]], [1, 2]].each do |values|
  numbers = Enumerator.new { |list| Fiber.yield(*values); list << 2 }
  p numbers.next, numbers.next_values
end
