require "socket"; require "monitor"; require "timeout"; require "io/wait"
$VERBOSE = nil
# A scheduler with one list of fibers that wait, for a time, a stream or `unblock`.
class Scheduler
  def initialize = (@waiting = []; @ready = Thread::Queue.new; @pipe = IO.pipe; @blocked = 0; @owner = Thread.current)
  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  def run
    turns = 0
    until @waiting.empty? && @blocked == 0 && @ready.empty?
      raise "too many turns" if (turns += 1) > 5000
      @ready.size.times { (fiber, value) = @ready.pop; fiber.resume(value) if fiber.alive? }
      next unless @ready.empty?
      deadline = @waiting.filter_map { |_, _, _, at| at }.min
      reads = @waiting.filter_map { |_, io, events| io if events && events & IO::READABLE != 0 && !io.closed? }
      writes = @waiting.filter_map { |_, io, events| io if events && events & IO::WRITABLE != 0 && !io.closed? }
      r, w, = IO.select([@pipe[0], *reads], writes, nil, deadline ? [deadline - now, 0].max : 0.2)
      @pipe[0].read_nonblock(100, exception: false) if r&.include?(@pipe[0])
      time = now
      due, @waiting = @waiting.partition do |_, io, _, at|
        (io && (io.closed? || r&.include?(io) || w&.include?(io))) || (at && at <= time)
      end
      due.each { |fiber, io, events, _| fiber.resume(io && (r&.include?(io) || w&.include?(io)) ? events : false) if fiber.alive? }
    end
  end
  def close = run
  def fiber_interrupt(fiber, error) = (@ready << [Fiber.new(blocking: true) { fiber.raise(error) if fiber.alive? }, nil]; wake)
  def io_wait(io, events, timeout) = pause(io, events, timeout)
  def kernel_sleep(time = nil) = pause(nil, nil, time) || true
  def block(_blocker, timeout = nil)
    @blocked += 1 unless timeout
    timeout ? pause(nil, nil, timeout) : Fiber.yield
  ensure
    @blocked -= 1 unless timeout
  end
  def unblock(_blocker, fiber) = (@waiting.reject! { |f, *| f == fiber } if Thread.current == @owner; @ready << [fiber, true]; wake)
  def wake = (@pipe[1].write_nonblock("."); nil) rescue nil
  def timeout_after(time, klass, message, &block)
    current = Fiber.current
    done = false
    fiber { sleep(time); current.raise(klass, message) if !done && current.alive? }
    block.call(time)
  ensure
    done = true
  end
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  private def pause(io, events, time) = (@waiting << [Fiber.current, io, events, time && now + time]; Fiber.yield)
end
def within
  log = Thread::Queue.new
  Thread.new do
    Thread.current.report_on_exception = false
    Fiber.set_scheduler(Scheduler.new)
    yield log
  end.join(8) or raise "hangs"
  Array.new(log.size) { log.pop }.map(&:to_s).sort
end
__END__
within { |l| {k}.times { |i| Fiber.schedule { {wait}; l << i } } }
within { |l| q = Queue.new; Fiber.schedule { {k}.times { l << q.pop } }; Fiber.schedule { {k}.times { |i| {wait}; q << i } } }
within { |l| q = SizedQueue.new(1); Fiber.schedule { 3.times { |i| q << i; l << i } }; Fiber.schedule { 3.times { {wait}; l << q.pop } } }
within { |l| m = Mutex.new; {k}.times { |i| Fiber.schedule { m.synchronize { {wait}; l << i } } } }
within { |l| m = Mutex.new; c = ConditionVariable.new; ok = false; {k}.times { Fiber.schedule { m.synchronize { c.wait(m) until ok; l << 1 } } }; Fiber.schedule { {wait}; m.synchronize { ok = true; c.broadcast } } }
within { |l| r, w = IO.pipe; Fiber.schedule { l << r.{read}; r.close }; Fiber.schedule { {wait}; w << "ab\n"; w.close } }
within { |l| r, w = IO.pipe; Fiber.schedule { begin; r.read(1); rescue IOError; l << $!.class; end }; Fiber.schedule { {wait}; r.close } }
within { |l| f = Fiber.schedule { begin; {long}; rescue IndexError; l << :raised; ensure; l << :ensured; end }; Fiber.schedule { {wait}; f.raise(IndexError) if f.alive? } }
within { |l| Fiber.schedule { begin; Timeout.timeout(0.005) { {long} }; rescue Timeout::Error; l << :timeout; end } }
within { |l| t = Thread.new { sleep 0.003; 7 }; Fiber.schedule { l << t.value }; Fiber.schedule { {wait}; l << 1 } }
within { |l| q = Queue.new; Fiber.schedule { l << q.pop }; Thread.new { sleep 0.002; q << 5 } }
within { |l| q = Queue.new; Fiber.schedule { l << q.pop(timeout: 0.003).inspect }; Fiber.schedule { {wait}; l << 2 } }
within { |l| Fiber.schedule { Fiber.schedule { {wait}; l << 1 }; {wait}; l << 2 } }
within { |l| e = Enumerator.new { |y| 3.times { |i| sleep 0; y << i } }; Fiber.schedule { 3.times { l << e.next } } }
within { |l| Fiber.schedule { l << `echo a` }; Fiber.schedule { {wait}; l << 1 } }
within { |l| Fiber.schedule { l << system("true") }; Fiber.schedule { Process.wait(spawn("true")); l << $?.exitstatus } }
within { |l| a, b = Socket.pair(:UNIX, :STREAM); Fiber.schedule { l << a.recv(5) }; Fiber.schedule { {wait}; b.send("hi", 0) } }
within { |l| Fiber.schedule(storage: {a: 1}) { {wait}; l << Fiber[:a] }; Fiber.schedule { l << Fiber[:a].inspect } }
within { |l| Fiber.schedule { raise "x" rescue l << $!.message; {wait} }; Fiber.schedule { l << Fiber.blocking { |f| f.blocking? } } }
within { |l| Fiber.schedule { l << Addrinfo.tcp("127.0.0.1", 80).ip_port; {wait} } }
within { |l| Fiber.schedule { m = Monitor.new; m.synchronize { m.synchronize { {wait}; l << 1 } } } }
wait: sleep(0) | sleep(0.001) | sleep(0.003) | Thread.pass | 0 | Fiber.scheduler.fiber { sleep 0.001 } | IO.select(nil, nil, nil, 0.001) | Thread.new { sleep 0.001 }.join
long: sleep(1) | Queue.new.pop(timeout: 1) | IO.pipe[0].wait_readable(1) | Thread.new { sleep 0.1 }.join | IO.select([IO.pipe[0]], nil, nil, 1)
read: read | gets | read(1) | readpartial(5) | getc | each_line.to_a | readlines | getbyte | eof? | sysread(2) | read_nonblock(3, exception: false)
k: 1 | 2 | 3 | 5
