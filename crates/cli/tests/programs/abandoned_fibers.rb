# Fibers that are abandoned while they wait leave room for others: without more address space for stacks, a collection
# frees theirs.

size = File.read("/proc/self/status")[/VmSize:\s*(\d+)/, 1].to_i << 10
Process.setrlimit(:AS, size + (700 << 20))
count = 0
3000.times do |i|
  count += Fiber.new { Fiber.yield 1 }.resume
end
p count

# Those that are not abandoned fill it, and the error can be handled.
kept = []
begin
  3000.times { kept << Fiber.new { Fiber.yield 2 }.tap(&:resume) }
rescue FiberError => error
  p error.message
end
p kept.size > 500, kept.first.alive?
kept.clear
p Fiber.new { Fiber.yield 3 }.resume
