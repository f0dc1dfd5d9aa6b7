# Two threads write to one stream whose buffer is being flushed: the order of the writes is preserved.
read, write = IO.pipe
first = Thread.new { write.write("a" * 300_000); write.flush }
sleep 0.01 until first.stop?
second = Thread.new { write.write("b"); write.flush }
sleep 0.01 until second.stop?
reader = Thread.new { read.read }
[first, second].each(&:join)
write.close
text = reader.value
p text.size, text.index("b")

# A signal handler writes to the stream that its own thread is flushing (in CRuby a ThreadError).
read, write = IO.pipe
trap("USR1") { write.write("handled"); write.flush }
main = Thread.current
reader = Thread.new do
  sleep 0.01 until main.stop?
  Process.kill("USR1", Process.pid)
  sleep 0.05
  read.read
end
write.write("a" * 300_000)
write.flush
write.close
p reader.value.include?("handled")
