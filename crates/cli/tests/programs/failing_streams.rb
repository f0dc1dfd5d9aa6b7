# Errors of streams name the function and the file, those of the buffer the descriptor as well.
def told
  yield
rescue SystemCallError, ArgumentError => error
  puts error.message.gsub(/fd:\d+/, "fd:N")
end

folder = -> { File.open("/") }
told { folder.().read }
told { folder.().read(5) }
told { folder.().gets }
told { folder.().readpartial(3) }
told { folder.().sysread(3) }
told { folder.().read_nonblock(3) }
told { folder.().pread(3, 0) }
told { folder.().eof? }
full = -> { File.open("/dev/full", "w") }
told { full.().then { |file| file.write("a"); file.flush } }
told { full.().tap { |file| file.sync = true }.write("a") }
told { full.().syswrite("a") }
told { full.().write_nonblock("a") }
told { full.().pwrite("a", 0) }
told { full.().then { |file| file.write("a"); file.close } }
told { File.open(File::NULL).fsync }
told { File.open(File::NULL).fcntl(99_999) }
told { STDIN.reopen("/missing") }
told { Dir["a\0b"] }
told { Dir["a", "b\0"] }
told { Dir.glob(["a\0b"]) }
