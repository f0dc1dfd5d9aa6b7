# Interrupts between threads, and signals to the main thread, in all kinds of waits. (Recorded from CRuby 3.4.11.)
def asleep(thread)
  Thread.pass until thread.stop?
  thread
end

# raise, kill and wakeup reach a thread that sleeps, waits for a mutex, a queue, a condition variable or a pipe.
reader, writer = IO.pipe
mutex = Mutex.new
holder = asleep(Thread.new { mutex.lock; sleep })
waits = {
  sleep: -> { sleep },
  mutex: -> { mutex.lock },
  queue: -> { Queue.new.pop },
  sized_queue: -> { q = SizedQueue.new(1); q << 1; q << 2 },
  condition: -> { m = Mutex.new; m.synchronize { ConditionVariable.new.wait(m) } },
  join: -> { t = Thread.new { sleep }; begin; t.join; ensure; t.kill; end },
  pipe: -> { reader.read(1) },
  select: -> { IO.select([reader]) },
  loop: -> { loop { Thread.pass } },
}
waits.each do |name, wait|
  log = []
  thread = Thread.new do
    Thread.current.report_on_exception = false
    begin
      wait.call
    ensure
      log << :ensured
    end
  end
  name == :loop ? Thread.pass : asleep(thread)
  thread.raise(IOError, "from outside")
  outcome = begin
    thread.value
  rescue IOError => error
    error.message
  end
  killed = Thread.new { wait.call }
  name == :loop ? Thread.pass : asleep(killed)
  puts "#{name}: #{outcome}, #{log.inspect}, #{killed.kill.join.status.inspect}"
end

# An interrupt that arrives while the main thread waits.
waits.each do |name, wait|
  next if name == :loop
  main = Thread.current
  waker = Thread.new { asleep(main); Process.kill(:INT, $$) }
  begin
    wait.call
  rescue Interrupt => error
    puts "#{name}: #{error.class}"
  end
  waker.join
end

holder.kill.join

# handle_interrupt delays interrupts.
ready = Queue.new
thread = Thread.new do
  Thread.handle_interrupt(RuntimeError => :never) do
    begin
      ready << true
      Thread.pass until Thread.pending_interrupt?
      puts "inside"
    rescue RuntimeError
      puts "too early"
    end
  end
rescue RuntimeError => error
  puts "deferred: #{error.message}"
end
ready.pop
thread.raise "later"
thread.join

# Deadlocks are found.
begin
  Queue.new.pop
rescue Exception => error
  puts error.class, error.message.lines.first
end

# Handlers by number, name and String; the previous handlers.
p trap(:USR1) { |number| puts "got #{number}" }
Process.kill(:USR1, $$)
p trap("SIGUSR1", "DEFAULT").class
p trap("USR1", "IGNORE"), trap("USR1", nil), trap("USR1", "SYSTEM_DEFAULT"), trap("USR1", "DEFAULT")
begin
  Process.kill(:TERM, $$)
  sleep
rescue SignalException => error
  p error, error.signo
end

# Locals belong to the fiber, variables to the thread.
Thread.current[:a] = 1
Thread.current.thread_variable_set(:b, 2)
Fiber.new { p Thread.current[:a], Thread.current.thread_variable_get(:b) }.resume

# A thread's root fiber ends with the thread.
p Array.new(3) { |i| Thread.new { Fiber.new { i }.resume }.value }
GC.start

# `$?` belongs to the thread.
`true`
p $?.success?, Thread.new { $? }.value

# What a mask delays until a call that may block comes before what `puts` writes, and not amid what `p` writes.
def delayed
  waits, ready = true, Thread::Queue.new
  thread = Thread.new do
    Thread.current.report_on_exception = false
    Thread.handle_interrupt(RuntimeError => :on_blocking) do
      ready << true
      nil while waits
      yield
    end
  end
  ready.pop
  thread.raise "delayed"
  waits = false
  thread.join
rescue RuntimeError => error
  puts error.message
end
delayed { puts "not written" }
delayed { p :written, :as_well }

# A thread that ends the program by an exception; ensure clauses of the others run.
Thread.new do
  sleep
ensure
  puts "ensured at the end"
end.then { |t| asleep(t) }
at_exit { puts "at_exit" }
trap(:EXIT) { puts "trap EXIT" }
thread = Thread.new do
  Thread.current.report_on_exception = false
  Thread.current.abort_on_exception = true
  raise "ends it"
end
begin
  sleep
rescue RuntimeError => error
  puts error.message
end
