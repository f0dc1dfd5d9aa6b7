# Other threads sleep, wake up, begin and end while the process forks. A child does not use what they were changing,
# and waits for no lock that they held.
$stdout.sync = true
4.times { Thread.new { loop { sleep 0.0002 } } }
Thread.new do
  loop do
    thread = Thread.new { sleep }
    Thread.pass until thread.stop?
    thread.kill.join
  end
end
ends = Array.new(500) do
  pid = fork do
    Thread.new {}.join
    exit!(0)
  end
  limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
  until (ended = Process.wait2(pid, Process::WNOHANG)) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
    Thread.pass
  end
  Process.kill(:KILL, pid) unless ended
  ended ? ended[1].to_s[/SIG.*|exit.*/] : "hangs"
end
p ends.tally
exit!(0)
