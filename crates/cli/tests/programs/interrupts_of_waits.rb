# ^C reaches a program and the child it waits for: the wait is interrupted, even if the child's end is seen first.
require "rbconfig"

CHILD = <<~'RUBY'
  trap(:INT, "DEFAULT")
  begin
    system("echo ready; exec sleep 20")
  rescue Interrupt
    exit 7
  end
RUBY

statuses = 8.times.map do
  read, write = IO.pipe
  pid = spawn(RbConfig.ruby, "-e", CHILD, out: write, pgroup: true)
  write.close
  read.gets
  Process.kill(:INT, -pid)
  Process.wait2(pid)[1].exitstatus
end
p statuses.uniq
