# Streams closed by other threads, timeouts, buffering, copying, globs. (Recorded from CRuby 3.4.11.)
reader, writer = IO.pipe
thread = Thread.new do
  reader.read
rescue IOError => error
  error.message
end
Thread.pass until thread.stop?
reader.close
puts thread.value
writer.close

reader, writer = IO.pipe
reader.timeout = 0.01
begin
  reader.read(1)
rescue IO::TimeoutError => error
  puts error.class
end
writer.sync = false
writer.write("abc")
reader.close
2.times do
  writer.flush
rescue Errno::EPIPE => error
  puts error.class
end
begin
  writer.close
rescue Errno::EPIPE => error
  puts error.class
end

from, to = IO.pipe
copier = Thread.new { IO.copy_stream(from, File::NULL) }
to.write("12345")
to.close
p copier.value

name = "/tmp/beni-streams-#{$$}"
File.write(name, "one\ntwo\nthree\n")
File.open(name) do |file|
  p file.read(5), file.sysread(3), file.gets, $., file.pos
end
p File.open(name) { |file| file.close; :closed }
File.delete(name)

Dir.mkdir(name)
%w[b/c b/a .hidden/d a].each do |path|
  folder = File.dirname(path)
  Dir.mkdir(File.join(name, folder)) unless File.directory?(File.join(name, folder))
  File.write(File.join(name, path), "")
end
Dir.chdir(name) do
  p Dir.glob("**/*"), Dir.glob("**/*", File::FNM_DOTMATCH), Dir.glob("**/"), Dir.glob(".*"), Dir.glob("b//a")
  directory = Dir.new("b")
  p directory.children.sort, directory.each_child.to_a.sort, directory.fileno.class
  p Dir.fchdir(directory.fileno) { File.basename(Dir.pwd) }
  directory.close
  begin
    directory.read
  rescue IOError => error
    puts error.message
  end
  p system("true", rlimit_nofile: [64, 64]), `ulimit -n; true`.to_i > 64
  p Process::Status.wait(spawn("exit 3")).exitstatus, $?.exitstatus
end
%w[b/c b/a .hidden/d a].each { |path| File.delete(File.join(name, path)) }
%w[b .hidden .].each { |path| Dir.rmdir(File.expand_path(path, name)) }

# Waiting with buffered bytes. (Recorded from CRuby 4.1.0dev.)
IO.pipe do |reader, writer|
  writer << "ab\n"
  reader.getc
  p reader.wait(0), reader.wait_readable(0), reader.wait(IO::READABLE, 0), reader.gets, reader.wait(0)
end

# A stream's time limit: what waits longer raises, or returns nil if waiting is all that it does.
reader, writer = IO.pipe
reader.timeout = writer.timeout = 0.01
big = "x" * 200_000
late = lambda { |&wait| wait.call rescue $!.class }
p late.() { reader.read }, late.() { reader.gets }, reader.wait_readable, reader.wait(IO::READABLE, nil), reader.wait
p late.() { writer.write big }, late.() { writer.syswrite big }, writer.wait_writable, IO.select([], [writer], [], 0)
[reader, writer].each { |io| io.timeout = nil }
p reader.readpartial(9), reader.timeout
