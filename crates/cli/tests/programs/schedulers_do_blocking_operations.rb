# A fiber scheduler's hook `blocking_operation_wait` gets the work of compressing, which it may have done by a thread.
require "zlib"

class Scheduler
  def initialize = @ready = []
  def block(*) = nil
  def unblock(*) = nil
  def kernel_sleep(*) = nil
  def io_wait(*) = nil
  def fiber_interrupt(*) = nil
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def close = nil
end

class InThread < Scheduler
  attr_reader :calls

  def blocking_operation_wait(work)
    @calls = (@calls || 0) + 1
    Thread.new { work.call }.join
    work.call if @calls == 1
  rescue RuntimeError => error
    puts error.message
  end
end

class Ignoring < Scheduler
  def blocking_operation_wait(work)
    @kept ||= work
  end

  def try_kept
    @kept.call
  rescue RuntimeError => error
    puts error.message
  end
end

class Failing < Scheduler
  def blocking_operation_wait(work) = raise(IOError, "from the hook")
end

def scheduled(scheduler)
  Thread.new do
    Fiber.set_scheduler(scheduler)
    Fiber.schedule { yield }
    Fiber.set_scheduler(nil)
  end.join
  scheduler
end

TEXT = "text " * 20_000
2.times do
  [TEXT, "short"].each do |text|
    seen = scheduled(InThread.new) do
      packed = Zlib.deflate(text)
      p Zlib.inflate(packed) == text
      stream = Zlib::Deflate.new
      stream << text
      p Zlib::Inflate.inflate(stream.finish) == text
      p Zlib.gunzip(Zlib.gzip(text)) == text
    end
    p seen.calls > 3
    scheduled(Ignoring.new) { p Zlib.inflate(Zlib.deflate(text)) == text }.try_kept
    scheduled(Scheduler.new) { p Zlib.inflate(Zlib.deflate(text)) == text }
    scheduled(Failing.new) { p((Zlib.deflate(text) rescue $!)) }
    scheduled(InThread.new) { p((Zlib.inflate("no stream" + text) rescue $!)) }
  end
end
