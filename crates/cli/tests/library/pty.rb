# Pseudo-terminals. Recorded from CRuby 3.4.11.
require "pty"
require "io/console"

PTY.open do |master, slave|
  p master.class, slave.class, slave.tty?, master.sync, slave.path.start_with?("/dev/pts/"), master.inspect.include?("masterpty:/dev/pts/")
  slave.puts "hello"
  p master.gets
  slave.winsize = [10, 20]
  p master.winsize
  master.puts "typed"
  p slave.gets
  p File.stat(slave.path).mode.to_s(8)
end

reader, writer, pid = PTY.spawn({ "WORD" => "x" }, "stty -echo; echo $WORD; read line; echo got $line; tty > /dev/null && echo a terminal; exit 3")
p reader.gets
writer.puts "some words"
p reader.gets, reader.gets
begin
  reader.gets
rescue Errno::EIO => error
  p error.class
end
Process.wait(pid)
p $?.exitstatus, PTY.check(pid)

p(PTY.getpty("exit 2") { |r, w, id| p r.class, w.sync, id.class })
_, _, pid = PTY.spawn("exit 1")
status = nil
sleep 0.01 until (status = PTY.check(pid))
p status.exitstatus
_, _, pid = PTY.spawn("exit 1")
begin
  loop do
    PTY.check(pid, true)
    sleep 0.01
  end
rescue PTY::ChildExited => error
  p error.message == "pty - exited: #{pid}", error.status.exitstatus
end
begin
  PTY.spawn("/no/such/program")
rescue SystemCallError => error
  p error.class
end
