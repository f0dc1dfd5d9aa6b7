require "stringio"
io = StringIO.new("ab\ncd\n")
def attempt
  p yield
rescue => e
  p e
end
attempt { io.gets(2**65) }
attempt { io.seek(1, "x") }
attempt { io.seek(0, 9) }
attempt { io.seek(0, nil) }
attempt { io.each.inspect[/:each.*/] }
attempt { io.each_line.inspect[/:each.*/] }
attempt { io.each_line(chomp: true).inspect[/:each.*/] }
attempt { io.rewind; io.each.to_a }
attempt { io.rewind; io.each_line("b", chomp: true).to_a }
attempt { io.rewind; io.read(1, io.string) }
attempt { io.read(nil, io.string) }
attempt { io.pread(0, 0, io.string) }
attempt { io.pread(1, 0, "frozen".freeze) }
attempt { io.pread(0, 0, 1) }
