# Closing a stream waits for its users: not for users that do not exist in a forked child; fibers are users, too.
reader, writer = IO.pipe
Thread.new { reader.read }
Thread.pass until Thread.list.last.status == "sleep"
pid = fork do
  reader.close
  exit!(7)
end
Process.wait(pid)
p $?.exitstatus

# Loading a pipe to which another thread writes.
Dir.chdir(ENV["TMPDIR"] || "/tmp") do
  name = "./pipe_#{$$}.rb"
  File.mkfifo(name)
  thread = Thread.new { File.write(name, "$loaded = 3\n") }
  load(name)
  thread.join
  File.unlink(name)
end
p $loaded

pid = spawn("exit 3", uid: Process.uid, gid: Process.gid)
Process.wait(pid)
p $?.exitstatus
begin
  spawn("exit 3", rlimit_nofile: [1, 2, 3])
rescue ArgumentError => e
  p e.message
end
