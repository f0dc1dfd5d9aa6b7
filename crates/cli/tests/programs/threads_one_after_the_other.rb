# Short threads run one after the other on few native threads, each as if that were new.

require "bigdecimal"
require "timeout"

natives = 100.times.map { Thread.new { Thread.current.native_thread_id } }.map(&:value)
p natives.uniq.size < 30

# What is kept for a native thread does not pass to the next thread.
p 20.times.map { Thread.new { BigDecimal.limit.tap { BigDecimal.limit(3) } } }.sum(&:value)
p BigDecimal.limit

# Threads begin in the order of their creation.
order = []
20.times.map { |i| Thread.new { order << i } }.each(&:join)
p order == (0...20).to_a

# A thread that waits needs its own native thread, and lets the next ones begin.
queue = Thread::Queue.new
waiting = 50.times.map { |i| Thread.new { queue.pop + i } }
p 50.times.map { |i| Thread.new { queue << 1; i } }.sum(&:value), waiting.sum(&:value)
p Thread.new { Thread.new { Thread.new { 1 }.value + 1 }.value + 1 }.value
p (Timeout.timeout(0.05) { Thread.new { sleep }.join } rescue $!.class)

# A thread that is killed before it begins does not run.
thread = Thread.new { p :never }.kill
p thread.join.equal?(thread), thread.status
thread = Thread.new { p :never }
thread.report_on_exception = false
thread.raise("late")
p (thread.join rescue $!)
masked = Thread.handle_interrupt(RuntimeError => :never) do
  Thread.new { Thread.handle_interrupt(RuntimeError => :immediate) { :never } rescue $! }
end
masked.raise("masked")
p masked.value

# Deep stacks, one after the other.
def deep(n) = n == 0 ? 0 : 1 + deep(n - 1)
p 5.times.map { Thread.new { deep(3_000) } }.map(&:value).uniq

# Threads that have not begun when the process forks do not exist in the child, which has native threads of its own.
begun = 50.times.map { |i| Thread.new { i } }
child = fork { exit!([begun.none?(&:alive?), Thread.new { 7 }.value, Thread.list.size] == [true, 7, 1]) }
Process.wait(child)
p $?.success?, begun.sum(&:value)
