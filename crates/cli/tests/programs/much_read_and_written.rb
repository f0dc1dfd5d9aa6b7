# Reading and writing more than the buffers of a stream hold.
require "tempfile"

LINE = "a line of twenty-eight bytes é\n"
TEXT = LINE * 90_000
def tell(name) = puts("#{name}: #{begin; yield.inspect; rescue StandardError => e; "#{e.class}: #{e.message}"; end}")
def same(given, expected = TEXT) = [given == expected, given.encoding, given.bytesize]

Tempfile.create("much") do |file|
  path = file.path
  tell(:write) { [File.write(path, TEXT), File.size(path)] }
  tell(:appended) { File.open(path, "a") { |f| f << "x" << TEXT << "y"; f.pos } }
  tell(:contents) { same(File.read(path), TEXT + "x" + TEXT + "y") }
  File.write(path, TEXT)

  tell(:read) { same(File.read(path)) }
  tell(:binread) { same(File.binread(path), TEXT.b) }
  tell(:empty) { File.open(path) { |f| [f.read.bytesize, f.read, f.read(1), f.gets(nil), f.read(2_000_000)] } }
  tell(:after_a_line) { File.open(path) { |f| [f.gets, same(f.read, TEXT.byteslice(LINE.bytesize..)), f.eof?] } }
  tell(:after_ungetc) { File.open(path) { |f| f.ungetc("zz"); same(f.read, "zz" + TEXT) } }
  tell(:from_a_position) { File.open(path) { |f| f.seek(-100_000, IO::SEEK_END); f.read.bytesize } }
  tell(:gets_nil) { File.open(path) { |f| [same(f.gets(nil)), f.lineno, $., f.gets(nil)] } }
  tell(:gets_nil_later) do
    File.open(path) { |f| f.gets; [same(f.gets(nil, chomp: true), TEXT.byteslice(LINE.bytesize..)), f.lineno] }
  end
  tell(:gets_nil_limit) { File.open(path) { |f| [f.gets(nil, 1_500_000).bytesize, f.lineno] } }
  tell(:each_line_nil) { File.open(path) { |f| f.each_line(nil).map(&:bytesize) } }
  tell(:readlines_nil) { File.readlines(path, nil).map { |all| same(all) } }

  tell(:read_count) { File.open(path) { |f| [same(f.read(2_000_000), TEXT.b[0, 2_000_000]), f.pos] } }
  tell(:read_more_than_there_is) { File.open(path) { |f| [same(f.read(20_000_000), TEXT.b), f.read(20_000_000)] } }
  tell(:read_count_after_a_line) do
    File.open(path) { |f| [f.gets, same(f.read(1_500_000), TEXT.b[f.pos - 1_500_000, 1_500_000])] }
  end
  tell(:into_a_buffer) do
    buffer = "é".encode("UTF-16LE")
    answer = File.open(path) { |f| f.read(1_500_000, buffer) }
    [answer.equal?(buffer), buffer.encoding, buffer.bytesize, (buffer << "z".encode("UTF-16LE")).bytesize]
  end
  tell(:into_a_buffer_at_the_end) do
    buffer = +"abc"
    [File.open(path) { |f| f.read; f.read(1_500_000, buffer) }, buffer]
  end
  tell(:into_a_frozen_buffer) { File.open(path) { |f| f.read(1_500_000, "abc".freeze) } }
  tell(:everything_into_a_buffer) { File.open(path) { |f| same(f.read(nil, b = +""), b) } }
  tell(:pread) { File.open(path) { |f| [same(f.pread(1_200_000, 10), TEXT.b[10, 1_200_000]), f.pos] } }
  tell(:pread_at_the_end) { File.open(path) { |f| f.pread(10, 100_000_000) } }
  tell(:sysread) { File.open(path) { |f| f.sysread(5_000_000).bytesize } }
  tell(:converted) { same(File.read(path, encoding: "UTF-8:UTF-16LE"), TEXT.encode("UTF-16LE")) }
  tell(:lines) { File.open(path, "rt") { |f| same(f.read) } }
  File.write(path, TEXT.gsub("\n", "\r\n"))
  tell(:converted_lines) { File.open(path, "rt") { |f| same(f.read) } }
end

tell(:pipe) do
  IO.pipe do |from, to|
    writer = Thread.new { to << TEXT; to.close }
    given = from.read
    writer.join
    same(given)
  end
end
tell(:counted_from_a_pipe) do
  IO.pipe do |from, to|
    writer = Thread.new { to << TEXT; to.close }
    given = [from.read(2_000_000).bytesize, from.read(20_000_000).bytesize, from.read(20_000_000)]
    writer.join
    given
  end
end
tell(:closed_reader) do
  from, to = IO.pipe
  from.close
  to.write(TEXT)
end
tell(:command) { `head -c 3000000 /dev/zero`.bytesize }
tell(:not_readable) { IO.pipe { |_, to| to.read } }
tell(:changed) do
  [TEXT.tr("é", "e"), TEXT.reverse, TEXT.inspect, TEXT.encode("UTF-16BE")].map(&:bytesize)
end
tell(:packed) { [TEXT].pack("m0").unpack1("m0") == TEXT.b && TEXT.unpack1("H*").bytesize }
tell(:large) do
  s = "ab" * 5_000_000
  [s.reverse[0, 3], s.reverse[-3..], s.tr("a", "c")[4_194_300, 8], Marshal.load(Marshal.dump(s)) == s]
end
