# A scheduler written in Ruby waits on behalf of non-blocking fibers.
class Turns
  def initialize
    @own = Fiber.current
    @readable, @writable, @sleeping, @blocked, @ready = {}, {}, {}, {}, []
    @lock = Thread::Mutex.new
    @urgent = IO.pipe
    @asked = []
  end
  attr_reader :asked

  def fiber(&block)
    Fiber.new(blocking: false, &block).tap(&:transfer)
  end

  def kernel_sleep(seconds = nil)
    @asked << :kernel_sleep
    block(:sleep, seconds)
    true
  end

  def block(blocker, timeout = nil)
    @asked << blocker.class unless blocker == :sleep
    fiber = Fiber.current
    timeout ? @sleeping[fiber] = now + timeout : @blocked[fiber] = true
    @own.transfer
  ensure
    @sleeping.delete(fiber)
    @blocked.delete(fiber)
  end

  def unblock(_blocker, fiber)
    @lock.synchronize { @ready << fiber }
    @urgent.last.write_nonblock(".")
  end

  def io_wait(io, events, timeout)
    @asked << :io_wait
    fiber = Fiber.current
    @readable[io] = fiber if events.anybits?(IO::READABLE)
    @writable[io] = fiber if events.anybits?(IO::WRITABLE)
    @sleeping[fiber] = now + timeout if timeout
    @own.transfer
  ensure
    @readable.delete(io)
    @writable.delete(io)
    @sleeping.delete(fiber)
  end

  def process_wait(pid, flags)
    @asked << :process_wait
    Thread.new { Process::Status.wait(pid, flags) }.value
  end

  def timeout_after(seconds, error, message)
    fiber = Fiber.current
    self.fiber { sleep(seconds); fiber.raise(error, message) if fiber&.alive? }
    yield seconds
  ensure
    fiber = nil
  end

  def run
    until @readable.empty? && @writable.empty? && @sleeping.empty? && @blocked.empty? && @ready.empty?
      first = @sleeping.values.min
      pause = first && [first - now, 0].max
      pause = 0 unless @ready.empty?
      readable, writable = IO.select(@readable.keys + [@urgent.first], @writable.keys, [], pause)
      readable&.delete(@urgent.first) && @urgent.first.read_nonblock(1000)
      due = @sleeping.select { |_, time| time <= now }.sort_by(&:last).map(&:first)
      ready = @lock.synchronize { @ready.tap { @ready = [] } }
      came = [*readable&.map { |io| [@readable[io], IO::READABLE] }, *writable&.map { |io| [@writable[io], IO::WRITABLE] }]
      came.each { |fiber, events| fiber.transfer(events) if fiber&.alive? }
      (due + ready).each { |fiber| fiber.transfer if fiber.alive? }
    end
  end

  def close = run

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def scheduled
  order = []
  turns = nil
  Thread.new do
    Fiber.set_scheduler(turns = Turns.new)
    yield order
  end.join
  [order, turns.asked.uniq - [Thread]]
end

p(scheduled do |order|
  3.downto(1) { |i| Fiber.schedule { sleep(i * 0.06); order << i } }
  order << :begun
end)

p(scheduled do |order|
  reader, writer = IO.pipe
  Fiber.schedule { order << reader.read(5) }
  Fiber.schedule { order << :writes; writer.write("hello") }
end)

p(scheduled do |order|
  reader, writer = IO.pipe
  Fiber.schedule { writer.write("x" * 200_000); writer.close }
  Fiber.schedule { order << reader.read.size }
end)

p(scheduled do |order|
  mutex, condition, ready = Thread::Mutex.new, Thread::ConditionVariable.new, false
  Fiber.schedule { mutex.synchronize { condition.wait(mutex) until ready; order << :woken } }
  Fiber.schedule { mutex.synchronize { order << :signals; ready = true; condition.signal } }
end)

p(scheduled do |order|
  mutex = Thread::Mutex.new
  2.times { |i| Fiber.schedule { mutex.synchronize { sleep 0.01; order << i } } }
end)

p(scheduled do |order|
  queue = Thread::Queue.new
  Fiber.schedule { order << queue.pop }
  Fiber.schedule { order << :pushes; queue << :item }
  Fiber.schedule { order << Thread.new { sleep 0.05; :thread }.value }
end)

p(scheduled do |order|
  Fiber.schedule { order << Thread::Queue.new.pop(timeout: 0.02).inspect }
end)

p(scheduled do |order|
  Fiber.schedule { system("exit 3"); order << $?.exitstatus }
end)

require "timeout"
p(scheduled do |order|
  Fiber.schedule { Timeout.timeout(0.01) { sleep 5 } rescue order << $!.class }
end)

p(scheduled do |order|
  order << Fiber.current_scheduler.inspect << Fiber.scheduler.class
  Fiber.schedule do
    order << Fiber.current_scheduler.class << Fiber.blocking? << Fiber.blocking { Fiber.current_scheduler.inspect }
  end
  Fiber.new(blocking: true) { order << Fiber.current_scheduler.inspect }.resume
end.first)

# The reader runs the hook that wakes the closing fiber, and then raises.
p(scheduled do |order|
  reader, = pipe = IO.pipe
  other = Thread.new do
    reader.read
  rescue IOError => e
    order << e.message
  end
  Thread.pass until other.stop?
  Fiber.schedule { reader.close; order << pipe.map(&:closed?) }
  Fiber.schedule { other.join }
end.first)

# A forked child has no scheduler.
$stdout.flush
p(scheduled do |order|
  reader, writer = IO.pipe
  Fiber.schedule { Process.detach(fork { writer.write([Fiber.scheduler, Fiber.current.blocking?].inspect) }) }
  writer.close
  order << reader.read
end.first)

begin
  Fiber.schedule {}
rescue RuntimeError => e
  p e.message
end
begin
  Fiber.set_scheduler(Object.new)
rescue ArgumentError => e
  p e.message
end

mutex = Thread::Mutex.new
sleeper = Thread.new { sleep }
mutex.synchronize do
  Fiber.new { mutex.lock }.resume
rescue ThreadError => e
  p e.message
end
sleeper.kill

fiber = Fiber.new { Fiber.yield }
p fiber.backtrace
fiber.resume
p fiber.backtrace.size
fiber.resume
p fiber.backtrace

# The root fiber that transferred control cannot be resumed. (Recorded from CRuby 4.1.0dev.)
root = Fiber.current
Fiber.new do
  root.resume
rescue FiberError => e
  p e.message
end.transfer
