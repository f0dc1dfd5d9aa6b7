$VERBOSE = nil
require "monitor"
Thread.report_on_exception = false
$q = Queue.new; $s = SizedQueue.new(2); $m = Mutex.new; $c = ConditionVariable.new; $mon = Monitor.new; $mc = $mon.new_cond
$done = Queue.new
# Waits until all threads have ended, and says what each answered; one that does not end is a lost wake-up.
def all(threads) = threads.map { |t| t.join(5) ? (t.value rescue $!.class) : raise("lost: #{t.status}") }
# As `all`, when it depends on the order whether a thread was interrupted.
def any(threads) = threads.each { |t| begin; t.join(5) or raise("lost: #{t.status}"); rescue KeyError, ThreadError, FiberError, ClosedQueueError, Timeout::Error; 0; end } && :ended
def pause = {sleep: 0}[:sleep].then { Thread.pass; sleep(rand < 0.3 ? 0.0001 : 0) }
def finish = puts([$q.size, $s.size, $m.locked?, $q.num_waiting, $s.num_waiting].inspect)
__END__
n = {k}; t = n.times.map { |i| Thread.new { $q.pop } }; {pause}; n.times { |i| $q << i }; all(t).sort
n = {k}; t = n.times.map { |i| Thread.new { $q.pop(timeout: {timeout}) } }; {pause}; n.times { |i| $q << i }; any(t); $q.clear.size
n = {k}; t = n.times.map { |i| Thread.new { $s << i; i } }; {pause}; r = n.times.map { $s.pop }; [all(t).sort, r.sort]
n = {k}; t = n.times.map { Thread.new { $m.synchronize { {pause}; 1 } } }; all(t).sum
n = {k}; x = 0; t = n.times.map { Thread.new { 20.times { $m.synchronize { y = x; {pause}; x = y + 1 } } } }; all(t); x
n = {k}; x = 0; t = n.times.map { Thread.new { 20.times { $mon.synchronize { $mon.synchronize { y = x; {pause}; x = y + 1 } } } } }; all(t); x
n = {k}; ready = 0; go = false; t = n.times.map { Thread.new { $m.synchronize { ready += 1; $c.wait($m{cwait}) until go; 1 } } }; Thread.pass until ready == n; $m.synchronize { go = true; $c.broadcast }; all(t).sum
n = {k}; ready = 0; left = 0; t = n.times.map { Thread.new { $m.synchronize { ready += 1; $c.wait($m) while left == 0; left -= 1; 1 } } }; Thread.pass until ready == n; n.times { $m.synchronize { left += 1; $c.signal }; {pause} }; all(t).sum
n = {k}; ready = 0; left = 0; t = n.times.map { Thread.new { $mon.synchronize { ready += 1; $mc.wait_while { left == 0 }; left -= 1; 1 } } }; Thread.pass until ready == n; n.times { $mon.synchronize { left += 1; $mc.signal }; {pause} }; all(t).sum
n = {k}; t = n.times.map { Thread.new { $q.pop } }; {pause}; (t[0].{hit} rescue 0); n.times { |i| $q << i }; any(t); $q.clear.size
n = {k}; $m.lock; t = n.times.map { Thread.new { $m.synchronize { {pause}; 1 } } }; {pause}; (t[-1].{hit} rescue 0); $m.unlock; any(t); $m.locked?
n = {k}; $m.lock; t = n.times.map { Thread.new { $m.synchronize { {pause}; 1 } } }; {pause}; (t[0].{hit} rescue 0); $m.unlock; (t[-1].{hit} rescue 0); any(t); $m.locked?
n = {k}; t = n.times.map { |i| Thread.new { $s << i } }; {pause}; (t[-1].{hit} rescue 0); 200.times { break unless t.any?(&:alive?); $s.pop(timeout: 0.01) }; any(t); $s.clear.size
n = {k}; ready = 0; left = 0; t = n.times.map { Thread.new { $m.synchronize { ready += 1; begin; $c.wait($m) while left == 0; left -= 1; 1; ensure; $c.signal; end } } }; Thread.pass until ready == n; $m.synchronize { left += n; $c.signal }; (t[0].{hit} rescue 0); any(t); $m.locked?
t = Thread.new { Thread.stop; 5 }; Thread.pass until t.stop?; t.{wake}; all([t])
t = Thread.new { sleep; 5 }; Thread.pass until t.stop?; t.{wake}; all([t])
t = {k}.times.map { Thread.new { sleep {timeout}; 5 } }; {pause}; any(t)
n = {k}; q = Queue.new; t = n.times.map { Thread.new { q.pop } }; {pause}; q.close; all(t)
n = {k}; q = SizedQueue.new(1); q << 0; t = n.times.map { Thread.new { q << 1 } }; Thread.pass until q.num_waiting == n; q.close; all(t).uniq
a = Thread.new { Thread.stop; 1 }; b = Thread.new { a.join; 2 }; Thread.pass until b.stop? && a.stop?; a.wakeup; all([a, b])
a = Thread.new { sleep }; b = {k}.times.map { Thread.new { a.value } }; {pause}; (a.{end} rescue 0); any(b)
r, w = IO.pipe; t = {k}.times.map { Thread.new { r.read(1) } }; {pause}; {k}.times { w << "x" }; w.close; all(t).compact.uniq - ["x"]
r, w = IO.pipe; t = Thread.new { r.read(1) }; {pause}; (t.{hit} rescue 0); w << "x"; any([t])
r, w = IO.pipe; t = Thread.new { begin; r.read(1); rescue IOError; :closed; end }; Thread.pass until t.stop?; r.close; all([t])
Timeout.timeout({timeout}) { $q.pop } rescue $!.class
t = {k}.times.map { |i| Thread.new { Timeout.timeout(5) { $m.synchronize { i } } } }; all(t).sum
t = Thread.new { Thread.handle_interrupt(KeyError => :{mask}) { {pause}; $q.pop(timeout: 0.001); 1 } }; {pause}; t.raise(KeyError); any([t])
t = Thread.new { Thread.handle_interrupt(Object => :never) { Thread.pass; begin; $m.synchronize { {pause} }; ensure; $done << 1; end } }; {pause}; t.kill; t.join(5); t.alive?
f = 3.times.map { Thread.new { Fiber.new { $m.synchronize { Fiber.yield } }.resume; 1 } }; any(f); GC.start; $m.locked?
pid = fork { Thread.new { $q << 1 }; exit!($q.pop) }; Process.wait2(pid)[1].exitstatus
t = {k}.times.map { |i| Thread.new { Thread.new { $q << i; i }.value } }; r = all(t).sum; [r, t.map { $q.pop }.sum == r]
o = Object.new.extend(MonitorMixin); x = 0; t = {k}.times.map { Thread.new { 10.times { o.mon_synchronize { x += 1; {pause} } } } }; all(t); x
k: 2 | 3 | 5 | 9
pause: 0 | 0 | pause | Thread.pass | sleep 0 | sleep 0.0005
timeout: 0 | 0.0001 | 0.001 | 0.005
hit: kill | raise(KeyError) | wakeup | run | kill.join(5)
end: kill | raise(KeyError) | kill.join(5)
wake: wakeup | run
mask: immediate | on_blocking | never
cwait: | , 0.001 | , 0.0001
