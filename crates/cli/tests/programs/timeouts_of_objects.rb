# Times to wait may be objects: of methods that sleep those with divmod, of queues those with to_f.
class Span
  def initialize(seconds) = @seconds = seconds
  def to_f = @seconds.to_f
  def divmod(by) = @seconds.divmod(by)
end
span = Span.new(0.01)
r, = IO.pipe
mutex = Mutex.new.lock
p Queue.new.pop(timeout: span)
p SizedQueue.new(1).tap { |queue| queue << 1 }.push(2, timeout: span)
p mutex.sleep(span), sleep(span), IO.select([r], nil, nil, span), r.wait_readable(span)
p ConditionVariable.new.wait(mutex, span)
[Float::NAN, 1e30, -1, 2**70, 2r**70, "1", []].each do |bad|
  p((sleep(bad) rescue $!), (mutex.sleep(bad) rescue $!), (IO.select([r], nil, nil, bad) rescue $!))
  p((r.wait_readable(bad) rescue $!))
end
p((sleep(Float::INFINITY) rescue $!))
waiting = Thread.new { IO.select([r], nil, nil, Float::INFINITY) }
p waiting.join(0.02)
waiting.kill
