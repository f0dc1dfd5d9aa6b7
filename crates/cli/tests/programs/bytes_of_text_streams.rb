# Streams that convert line ends do so when text is read: bytes, positions and what `binmode` finds are the file's.
require "tmpdir"
Dir.mktmpdir do |folder|
  path = File.join(folder, "text")
  File.binwrite(path, "a\r\nb\r\nc\r\nd\re\r\n")
  ["rt", "rt:euc-jp:utf-8"].each do |mode|
    read = lambda do |&block|
      p File.open(path, mode, &block)
    rescue IOError, SystemCallError => error
      p error.class
    end
    read.() { |f| [f.gets, f.pos, f.gets, f.pos, f.read, f.pos, f.eof?] }
    read.() { |f| [f.gets, f.read(3), f.gets, f.read(100), f.gets] }
    read.() { |f| [f.gets, f.readpartial(30)] }
    read.() { |f| [f.gets, f.getbyte, f.getbyte, f.getbyte, f.gets, f.readbyte, f.getc, f.getc, f.getc] }
    read.() { |f| [f.gets, f.seek(0), f.gets, f.seek(3, :CUR), f.gets] }
    read.() { |f| [f.getc, f.getc, f.binmode && f.read] }
    read.() { |f| [f.gets, f.sysread(2)] }
    read.() { |f| [f.gets, f.read_nonblock(30)] }
    read.() { |f| [f.gets, f.each_byte.to_a, f.gets] }
    read.() { |f| [f.read(2), f.gets, f.readlines] }
    read.() { |f| [f.gets, f.set_encoding("utf-8") && f.gets, f.each_char.to_a] }
    read.() { |f| [f.ungetc("\r\n"), f.gets, f.gets, f.pos] }
    read.() { |f| [f.ungetbyte("\r\n"), f.gets, f.gets, f.pos] }
    read.() { |f| [f.gets, f.ungetc("xyz"), f.gets, f.gets, f.pos] }
    read.() { |f| [f.gets(2), f.gets(1), f.gets(2), f.pos, f.gets(nil, 4), f.gets("e"), f.gets("")] }
    read.() { |f| [f.gets, f.pread(3, 3), f.pos, f.eof?] }
    read.() { |f| [f.gets, f.pos = 3, f.gets] }
    read.() { |f| [f.gets, IO.copy_stream(f, path + "2"), File.binread(path + "2")] }
    read.() { |f| [f.gets, f.dup.read, f.read] }
  end
  File.open(path, "r+t") { |f| p [f.gets, f.write("XY"), f.gets, f.rewind, f.read] }
  p File.binread(path)
  File.binwrite(path, "ab\r" * 20_000 + "\r\n" * 20_000 + "\r")
  File.open(path, "rt") do |f|
    lines = 0
    sum = 0
    while (line = f.gets)
      lines += 1
      sum += line.size
    end
    p lines, sum
  end
  p File.read(path, mode: "rt").size, File.foreach(path, mode: "rt").count
  wide = ["utf-16be", "utf-16le", "utf-32le", "iso-2022-jp", "utf-8", "euc-jp"]
  wide.product(wide) do |external, internal|
    next if external == internal
    text = "a\rb\r\n\u0d0a\nc\r\r\n"
    text = text.tr("\u0d0a", "\u3042") if [external, internal].intersect?(["iso-2022-jp", "euc-jp"])
    File.binwrite(path, text.encode(external))
    p File.open(path, "rt:#{external}:#{internal}", &:read).encode("utf-8")
  end
  r, w = IO.pipe
  r.set_encoding("utf-8", universal_newline: true)
  Thread.new do
    ["a\r", "\nb\r", "\r", "c\r\n", "d\r"].each { |part| w << part && sleep(0.01) }
    w.close
  end
  p r.each_line.to_a
end
