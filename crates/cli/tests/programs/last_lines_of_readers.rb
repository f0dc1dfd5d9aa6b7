# `$_` is set by `gets` and `readline`, by File.foreach for each line, and by no other reader.

require "tempfile"

PATH = File.join(Dir.tmpdir, "last_lines_of_readers.#{$$}")
File.write(PATH, "a\nb\nc\n")


def foreach
  $_ = "x"
  seen = []
  File.foreach(PATH) { seen << $_ }
  [seen, $_]
end

def foreach_left
  $_ = "x"
  File.foreach(PATH) { break }
  a = $_
  begin
    File.foreach(PATH, chomp: true) { raise "left" }
  rescue RuntimeError
    b = $_
  end
  [a, b]
end

def foreach_without_block
  $_ = "x"
  list = IO.foreach(PATH, 1).to_a.size
  [list, $_]
end

def readers
  $_ = "x"
  IO.readlines(PATH)
  seen = [$_]
  File.open(PATH) do |file|
    file.each_line { }
    seen << $_
    file.rewind
    file.readlines
    seen << $_
    file.rewind
    file.gets
    seen << $_
    file.readline
    seen << $_
    file.each_line { break }
    seen << $_
    file.gets
    seen << $_
  end
  seen
end

def files_of_arguments
  ARGV.replace([PATH, PATH])
  $_ = "x"
  ARGF.each_line { break }
  seen = [$_]
  gets
  seen << $_
  readline
  seen << $_
  readlines
  seen << $_
  gets
  seen << $_
end

2.times do
  p foreach, foreach_left, foreach_without_block, readers, files_of_arguments
end
begin
  File.foreach(PATH, 0) { }
rescue ArgumentError => error
  puts error.message
end
File.unlink(PATH)
