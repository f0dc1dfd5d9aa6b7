# Blocking operations of threads, and how they are interrupted.

# A thread that is blocked in a read is killed, repeatedly.
reader, writer = IO.pipe
20.times do
  begun = Thread::Queue.new
  thread = Thread.new { begun << true; reader.read(1) }
  begun.pop
  thread.kill
  thread.join
end
puts "killed"

# Thread.pass lets a newly created thread run.
200.times do
  thread = Thread.new {}
  Thread.pass while thread.alive?
end
puts "passed"

# Every thread that waits for a mutex gets it.
mutex = Thread::Mutex.new
mutex.lock
order = []
waiting = 4.times.map { |i| Thread.new { mutex.synchronize { order << i } } }
Thread.pass until waiting.all?(&:stop?)
mutex.unlock
waiting.each(&:join)
p order.sort

# A mutex whose owner has ended is free.
mutex = Thread::Mutex.new
begun = Thread::Queue.new
holder = Thread.new { mutex.lock; begun << true; sleep }
begun.pop
other = Thread.new { mutex.synchronize { :free } }
Thread.pass until other.stop?
holder.kill
p other.value

# Pushing n items wakes n waiting consumers.
queue = Thread::Queue.new
poppers = 5.times.map { Thread.new { queue.pop } }
Thread.pass until queue.num_waiting == 5
5.times { |i| queue << i }
p poppers.map(&:value).sort

begin
  Thread.stop
rescue ThreadError => e
  p e.message.lines.first
end

begin
  Thread::Queue.new.pop
rescue Exception => e
  p e.class, e.message.lines.first.chomp
end

# In a forked child there are no waiting threads.
queue = Thread::Queue.new
popper = Thread.new { queue.pop }
Thread.pass until popper.stop?
child = fork do
  queue << :own
  exit!(queue.num_waiting == 0 && queue.pop == :own)
end
Process.wait(child)
p $?.success?
queue << 1
p popper.value

p Thread.new(1, a: 2) { |x, a:| [x, a] }.value
p Thread.new({ a: 2 }) { |x, **rest| [x, rest] }.value
p Fiber.new { |x, a:| [x, a] }.resume(1, a: 2)

# A new thread inherits the interrupt masks of its creator.
Thread.handle_interrupt(RuntimeError => :never) do
  ready = false
  thread = Thread.new do
    Thread.pass until ready
    Thread.pending_interrupt?
  ensure
    Thread.handle_interrupt(RuntimeError => :immediate) {} rescue p $!.class
  end
  thread.raise "late"
  ready = true
  p thread.value
end

p [Thread::Queue.allocate, Thread::SizedQueue.allocate].map { |q| q.pop rescue $!.class }
p [Thread::Queue.new, Thread::ConditionVariable.new].map { |q| q.dup rescue $!.class }

# Threads that pass for ever do not keep the program from ending.
50.times { Thread.new { loop { Thread.pass } } }
