# Queue#pop and SizedQueue#push with their optional argument and keyword, also as hot calls.
def shown
  yield.inspect
rescue Exception => error
  "#{error.class}: #{error.message}"
end

def results
  full = SizedQueue.new(1) << 0
  closed = (SizedQueue.new(1) << 0).close
  [
    shown { Queue.new([1]).pop(timeout: 0) }, shown { Queue.new([1]).pop(timeout: nil) },
    shown { Queue.new.pop(timeout: 0) }, shown { Queue.new.pop(timeout: 0.0) }, shown { Queue.new.pop(timeout: -1) },
    shown { Queue.new.pop(timeout: 0r) },
    shown { Queue.new.pop(timeout: 0.001) }, shown { Queue.new([1]).pop(true) }, shown { Queue.new.pop(true) },
    shown { Queue.new([1]).pop(true, timeout: 1) }, shown { Queue.new([1]).pop(true, timeout: nil) },
    shown { Queue.new.pop(1, 2) }, shown { Queue.new.pop(past: 1) }, shown { Queue.new.pop(true, past: 1, more: 2) },
    shown { Queue.new([1]).shift(timeout: 1) }, shown { Queue.new([1]).deq(false, timeout: 1) },
    shown { Queue.new([1]).pop(**{ timeout: 1 }) }, shown { Queue.new([1]).pop(*[false], **{}) },
    shown { full.push(1, timeout: 0) }, shown { full.push(1, timeout: 0.0) }, shown { full.push(1, timeout: 0.001) },
    shown { full.push(1, true) }, shown { full.push(1, true, timeout: 1) }, shown { full.enq(1, true) },
    shown { full.<<(1, true) },
    shown { full.push }, shown { full.push(1, past: 1) }, shown { full.pop(timeout: 1) },
    shown { full.push(5, timeout: 1).equal?(full) }, shown { full.shift(true) },
    shown { closed.push(1, timeout: 0) }, shown { closed.push(1, true) }, shown { closed.push(1) },
    shown { closed.push(1, timeout: 1) },
    shown { [closed.pop, closed.pop, closed.pop(timeout: 1)] },
  ]
end

first = results
puts first
30.times { raise "a hot call differs" unless results == first }
p Queue.instance_method(:pop).parameters, Queue.instance_method(:pop).arity, Queue.instance_method(:shift).name
def popped = Queue.new.pop(true)
begin
  popped
rescue ThreadError => error
  puts error.backtrace.map { |line| line[/in .*/] }
end
waiting = Thread.new { Queue.new.pop(timeout: 60) }
Thread.pass until waiting.stop?
puts waiting.backtrace.map { |line| line[/in .*/] }
waiting.kill
