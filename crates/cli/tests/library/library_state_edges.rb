# Warnings of libraries while they are loaded, and state of libraries that affects later calls.
$VERBOSE = true
$stderr = $stdout
require "pp"
pp Set[1, Set[2]]
$VERBOSE = nil

require "date"
["euc-jp", "binary"].each do |encoding|
  p Date._strptime("15:43+09:00".dup.force_encoding(encoding), "%R%z")[:zone].encoding
end

require "strscan"
require "stringio"
require "monitor"

[:reset, :terminate, :unscan, :getch, :scan_integer].each do |change|
  scanner = StringScanner.new("test string")
  scanner.scan(/(?<t>test)/)
  scanner.send(change)
  p [change, scanner.named_captures]
end
scanner = StringScanner.new("a")
scanner.scan(/(?<b>b)/)
p scanner.named_captures

io = StringIO.new
io.pos = StringIO::MAX_LENGTH
begin
  io.write("beyond")
rescue ArgumentError => e
  puts e.message
end

["\u{1f363}", "\u3042\u{1f363}"].each do |text|
  StringIO.new.set_encoding(Encoding::Windows_31J).write(text)
rescue Encoding::CompatibilityError => e
  puts e.message
end

$VERBOSE = false
Warning[:deprecated] = true
literal = ""
io = StringIO.new(literal)
io.set_encoding(Encoding::BINARY)
io << "warns"
p literal.encoding, literal

monitor = Monitor.new
condition = monitor.new_cond
p monitor.synchronize { condition.wait(0.01) }
Thread.new { monitor.synchronize { condition.signal } }.then do |thread|
  p monitor.synchronize { condition.wait(10) }
ensure
  thread.join
end
