# The hooks with which a scheduler reads, writes and closes on behalf of non-blocking fibers.
require "tempfile"
Warning[:experimental] = false

# Runs each fiber to its end at once; its hooks transfer bytes in a blocking fiber.
class Direct
  attr_reader :asked, :buffers

  def initialize
    @asked, @buffers = [], []
  end

  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def block(*) = true
  def unblock(*) = true
  def kernel_sleep(*) = true
  def fiber_interrupt(*) = nil
  def close = nil

  def io_wait(_io, events, _timeout)
    @asked << [:io_wait, events]
    events
  end

  def io_read(io, buffer, length, offset)
    ask(:io_read, buffer, length, offset) { buffer.read(io, 0, offset) }
  end

  def io_write(io, buffer, length, offset)
    ask(:io_write, buffer, length, offset, buffer.get_string) { buffer.write(io, 0, offset) }
  end

  def io_pread(io, buffer, from, length, offset)
    ask(:io_pread, buffer, from, length, offset) { buffer.pread(io, from, 0, offset) }
  end

  def io_pwrite(io, buffer, from, length, offset)
    ask(:io_pwrite, buffer, from, length, offset, buffer.get_string) { buffer.pwrite(io, from, 0, offset) }
  end

  def io_close(descriptor)
    @asked << [:io_close, descriptor.class]
    Fiber.blocking { IO.for_fd(descriptor).close }
    true
  end

  private

  def ask(name, buffer, *rest, &)
    @buffers << buffer
    @asked << [name, buffer.readonly?, buffer.locked?, *rest]
    Fiber.blocking(&)
  end
end

def scheduled(scheduler = Direct.new)
  Thread.new do
    Thread.current.report_on_exception = false
    Fiber.set_scheduler(scheduler)
    Fiber.schedule { yield }
    scheduler
  end.value
end

def asked
  result = []
  [scheduled { result << yield }.asked.chunk_while { |a, b| a == b }.map(&:first), *result]
end

# Bytes pass through the hooks: what was buffered, and what is longer than a buffer.
reader, writer = IO.pipe
p asked { writer << "one" << " two"; writer.flush; writer.write("three\n") ; writer.close }
p asked { reader.gets.tap { reader.close } }
reader, writer = IO.pipe
scheduler = scheduled { writer.write("x" * 20_000); writer.close }
p scheduler.asked.sum { |name, *, text| name == :io_write ? text.size : 0 }
texts = []
scheduled { texts << reader.read(5) << reader.readpartial(10_000).size << reader.read(30_000).size << reader.read }
p texts

# A buffer is released after its hook.
p scheduler.buffers.map { |buffer| [buffer.null?, buffer.size] }.uniq

# Positions of a file.
Tempfile.create("hooks") do |file|
  p asked { file.pwrite("hello", 3) }
  p asked { file.pread(4, 3) }
  p asked { file.pread(20_000, 3) }
  p asked { file.pread(1, 100) rescue $!.class }
end

# An IO::Buffer passes itself on, with the least length and the offset; the hook's result is the method's.
class Direct
  def io_read(_io, buffer, length, offset) = (@asked << [:io_read, buffer.size, length, offset]; 42)
  def io_pwrite(_io, buffer, from, length, offset) = (@asked << [:io_pwrite, from, length, offset]; -5)
end
p asked { IO::Buffer.new(8).read($stdin, 3, 2) }
p asked { IO::Buffer.new(8).pwrite($stdin, 10, 3, 2) }

# A negative number is an error of the system; what is no number is a TypeError.
[-Errno::EBADF::Errno, nil, :wrong, -Errno::EPIPE::Errno].each do |result|
  failing = Direct.new
  failing.define_singleton_method(:io_read) { |*| result }
  failing.define_singleton_method(:io_write) { |*| result }
  File.open(__FILE__) { |file| scheduled(failing) { file.read } rescue puts $!.class }
  IO.pipe { |_, to| to.sync = true; scheduled(failing) { to.write("text") } rescue puts $!.class }
  IO.pipe { |_, to| scheduled(failing) { to.pwrite("text", 0) } rescue puts $!.class }
end

# A hook that reports more than there is room for, and one that raises.
broken = Direct.new
broken.define_singleton_method(:io_read) { |_, buffer, *| raise IOError, "of the hook #{buffer.size}" }
File.open(__FILE__) { |file| scheduled(broken) { file.readpartial(7) } rescue p $! }

# A hook that has not closed leaves that to the stream.
lazy = Direct.new
lazy.define_singleton_method(:io_close) { |*| false }
reader, writer = IO.pipe
scheduled(lazy) { writer.close }
p reader.read, writer.closed?

# Exceptions of `unblock` are raised by what unblocks.
class Broken < Direct
  def unblock(*) = raise("broken unblock")

  def block(*)
    Fiber.yield
    @waited = true
  end
end

p((Thread.new do
  Thread.current.report_on_exception = false
  Fiber.set_scheduler(Broken.new)
  queue = Thread::Queue.new
  waiting = Fiber.schedule { queue.pop }
  begin
    queue << 1
  rescue => e
    p e
  end
  waiting.resume
  mutex = Thread::Mutex.new
  mutex.lock
  waiting = Fiber.schedule { mutex.synchronize {} }
  begin
    mutex.unlock
  rescue => e
    p e
  end
  waiting.resume
  p mutex.locked?
  :end
end).value)

# Fibers that write to one stream wait for each other.
class Turns < Direct
  def kernel_sleep(*) = (ready << Fiber.current; Fiber.yield)
  def block(*) = kernel_sleep
  def ready = @ready ||= []

  def io_write(io, buffer, length, offset)
    kernel_sleep
    Fiber.blocking { buffer.slice(offset, [3, buffer.size - offset].min).write(io, 0, 0) }
  end

  def close = (ready.shift.resume while ready.any?)
end
reader, writer = IO.pipe
Thread.new do
  Fiber.set_scheduler(Turns.new)
  Fiber.schedule { writer.write("aaaaaa"); writer.flush }
  Fiber.schedule { writer.write("bbbbbb"); writer.flush }
end.join
writer.close
puts reader.read
