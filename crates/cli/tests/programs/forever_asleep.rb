# Thread#inspect tells sleeps without an end from others.
lock = Mutex.new.lock
threads = [
  Thread.new { sleep }, Thread.new { Thread.stop }, Thread.new { Queue.new.pop }, Thread.new { lock.lock },
  Thread.new { Thread.new { sleep }.join }, Thread.new { sleep 100 }, Thread.new { Queue.new.pop(timeout: 100) },
]
Thread.pass until threads.all? { |thread| thread.status == "sleep" }
puts threads.map { |thread| thread.inspect[/\w+(?=>)/] }
