# Checks of processes' options, buffers that are locked while a thread reads into them, names of the program.
def refused
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end
refused { Process.setrlimit(:CORE, :FOO) }
refused { Process.setproctitle("a\0") }
refused { Process.initgroups("\0", 0) }
refused { Process.groups = [0] * 70_000 }
refused { IO.popen(["true", STDOUT => STDOUT]) }
refused { IO.select(nil, nil, nil, Float::NAN) }
IO.pipe { |r, w| refused { r.read_nonblock(1, exception: 1) } }
IO.pipe { |r, w| refused { w.write_nonblock(1, exception: 1) } }
IO.pipe { |r, w| w.close; refused { 200.times { r.ungetc("a" * 1000) } } }

buffer = " " * 100
reader, writer = IO.pipe
thread = Thread.new { reader.readpartial(100, buffer) }
Thread.pass until thread.stop?
refused { buffer.replace("") }
writer.write("a")
thread.join
p buffer, buffer.frozen?

require "fcntl"
io = IO.new(File.open(__FILE__).fcntl(Fcntl::F_DUPFD))
p io.close_on_exec?
lock = [Fcntl::F_WRLCK, 0, 0, 0, 0, 0].pack("s!s!i!L!L!i!")
io.fcntl(Fcntl::F_GETLK, lock)
p lock.unpack1("s!") == Fcntl::F_UNLCK

class Array
  def to_hash = raise("asked")
end
p system(["true", "true"], "x")
first = Process.argv0
$0 = "another"
p Process.argv0 == first
hook = Module.new { def _fork = "BOO" }
Process.singleton_class.prepend(hook)
refused { fork }
