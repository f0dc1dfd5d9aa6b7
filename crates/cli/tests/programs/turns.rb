# Threads take turns, even with some that never wait.
reader, writer = IO.pipe
done = false
busy = [
  Thread.new { nil until reader.wait_readable(0) || done; :looked },
  Thread.new { n = 0; n += 1 until done; :counted },
  Thread.new { nil until IO.select([reader], nil, nil, 0) || done; :selected },
]
Thread.new { 30.times { sleep 0.0005 }; done = true }.join
p busy.map(&:value)
writer << "x"
p reader.wait_readable(0) == reader, reader.wait_readable(1) == reader, writer.wait_writable(0) == writer
writer.close
reader.close
begin
  reader.wait_readable(0)
rescue IOError => e
  puts e.message
end

# Signals and the ends of waits come at about the same time.
mutex, changed, turn = Mutex.new, ConditionVariable.new, 0
players = 4.times.map do |own|
  Thread.new do
    300.times do |i|
      mutex.synchronize do
        changed.wait(mutex, i.odd? ? 0.0003 : nil) until turn % 4 == own
        turn += 1
        changed.broadcast
      end
    end
  end
end
players.each(&:join)
p turn

queue, results = Queue.new, Queue.new
workers = 5.times.map { Thread.new { while (job = queue.pop(timeout: 5)) do results << job * 2 end } }
500.times { |i| queue << i; sleep 0 if i % 50 == 0 }
p 500.times.sum { results.pop }
queue.close
p workers.map(&:value)

# In a forked child, no other thread holds the lock.
Thread.new { sleep }
pid = fork { Thread.new { 100.times { Thread.pass } }.join; exit! 3 }
p Process.wait2(pid)[1].exitstatus
