# The message of a deadlock lists the threads, what they wait for and where.

lock = Mutex.new
lock.lock
Thread.new { Thread.stop }
waiting = Thread.new { lock.lock }
Thread.pass until waiting.stop?

def message_of
  yield
rescue Exception => error
  "#{error.class}: #{error.message}".gsub(/0x\h+/, "0x").gsub(__FILE__, "here")
end

puts message_of { waiting.join }

# Again, hot.
messages = (1..100).map { message_of { waiting.join } }
p messages.uniq.size
