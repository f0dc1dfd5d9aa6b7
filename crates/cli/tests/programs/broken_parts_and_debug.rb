# Broken strings are found in no other; stateful encodings are written across strings; reports by `$DEBUG` and threads.
broken = "\xE3"
p "a\xE3b".include?(broken), "a\xE3b".index(broken), "a\xE3b".rindex(broken), "a\xE3b"[broken]
p "a\xE3b".partition(broken)
p "a\xff".b.include?("\xff".b)
p "\u{c548 b155}".byteslice(0, 4).grapheme_clusters

reader, writer = IO.pipe
writer.set_encoding("iso-2022-jp:utf-8")
writer << "\u3042"
writer << "\u3044"
writer.close
p reader.read.b

require "tmpdir"
path = "#{Dir.tmpdir}/bom-#{$$}.txt"
%w[UTF-16BE UTF-32LE UTF-8].each do |name|
  File.binwrite(path, "\uFEFF\u0100a".encode(name))
  p File.read(path, mode: "rb:BOM|UTF-8:UTF-8")
ensure
  File.unlink(path)
end

main = Thread.current
queue = Queue.new
other = Thread.new do
  queue.pop
  begin
    raise "of the caller"
  rescue
    main.raise "stop"
  end
end
begin
  begin
    raise "of the thread"
  rescue
    queue.push(1)
    sleep 5
  end
rescue => e
  p e.message, e.cause.message
end
other.join

told = Object.new
def told.write(*all) = $stdout.puts(all.join.sub(/at .*rb:\d+/, "at"))
$stderr = told
$DEBUG = true
begin
  raise ArgumentError, "told"
rescue ArgumentError
  $DEBUG = false
end
$stderr = STDERR

class ByMethodMissing
  def method_missing(*) = proc { :made }
end
def called = yield
p called(&ByMethodMissing.new)
