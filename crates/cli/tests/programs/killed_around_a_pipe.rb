# A thread that is killed within the block of popen does not wait for the process.
ready = Queue.new
pid = nil
thread = Thread.new do
  IO.popen("exec sleep 100") do |pipe|
    ready << pipe.pid
    sleep
  end
end
pid = ready.pop
Thread.pass until thread.stop?
thread.kill
p thread.join(20).equal?(thread)
Process.kill(:KILL, pid)
