# `pos` drops buffered input: the descriptor has the position, too. Recorded from CRuby 4.1dev.
require "tempfile"
Tempfile.create("position") do |file|
  file.write("line 1\nline 2\nline 3\n")
  file.flush
  File.open(file.path, "r+") do |f|
    p f.gets, f.pos, f.sysread(6), f.gets, f.pos
    f.pos = 0
    p f.getc, f.pos, f.sysseek(2, IO::SEEK_CUR), f.getc
    f.pos = 0
    f.gets
    p f.tell
    File.write(file.path, "LINE", 7)
    p f.gets, IO.for_fd(f.fileno, autoclose: false).pos
    f.pos = 0
    f.getc
    f.ungetc("ab")
    p f.pos, f.getc, f.pos
  end
end
r, w = IO.pipe
w << "abc\ndef\n"
p r.gets, (r.pos rescue $!.class), r.gets
