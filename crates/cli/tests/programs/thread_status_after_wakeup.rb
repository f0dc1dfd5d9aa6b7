# A thread that was woken is runnable at once, before it has run.
def sleeping(&block)
  Thread.new(&block).tap { |thread| Thread.pass until thread.status == "sleep" }
end

def status_after(thread)
  yield
  status = thread.status
  thread.kill.join
  status
end

mutex, condition, queue, full = Mutex.new, ConditionVariable.new, Queue.new, SizedQueue.new(1)
full << 1
thread = sleeping { sleep; loop { Thread.pass } }
p status_after(thread) { thread.wakeup }
thread = sleeping { mutex.synchronize { condition.wait(mutex) }; loop { Thread.pass } }
p status_after(thread) { mutex.synchronize { condition.signal } }
thread = sleeping { queue.pop; loop { Thread.pass } }
p status_after(thread) { queue << 1 }
thread = sleeping { full << 2; loop { Thread.pass } }
p status_after(thread) { full.pop }

# Two threads that take turns by the status.
go, n = false, 0
thread = Thread.new { 2000.times { Thread.pass until go; sleep; n += 1 } }
2000.times do
  go = true
  Thread.pass until thread.status == "sleep"
  go = false
  thread.wakeup
end
thread.join
p n
