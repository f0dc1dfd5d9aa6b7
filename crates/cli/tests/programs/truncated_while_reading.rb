# Bytes that were read ahead, in a file that is truncated before them.
require "tmpdir"
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
PATH = File.join(Dir.mktmpdir, "file")
at_exit { FileUtils.rm_r(File.dirname(PATH)) }
File.write(PATH, "a\nb\nc\nd\n" * 3)
f = File.open(PATH, "r+")
t { f.gets }
f.truncate(4)
t { f.gets }
t { f.gets }
t { f.pos }
f.truncate(2)
t { f.read }
f.rewind
t { f.read(1) }
f.rewind
File.write(PATH, "a\nb\nc\nd\n" * 3)
f.getc; f.ungetc "x"
f.truncate(0)
t { f.gets }
f.rewind
f.write "hello\nworld"
f.rewind
t { f.gets }
f.truncate(3)
t { f.eof? }
t { f.pos }
