# Recorded from CRuby 4.1dev.
# Lines are counted whether or not a trace point listens to them, too; lines counted once may be traced later.
require "coverage"
require "tempfile"

file = Tempfile.new(["covered", ".rb"])
file.write("def covered(n)\n  n.times do |i|\n    i.even? ?\n      1 :\n      2\n  end\n  n\nend\n")
file.close

[{ lines: true }, { oneshot_lines: true }].each do |modes|
  traced = []
  point = TracePoint.new(:line) { |tp| traced << tp.lineno if tp.path == file.path }
  Coverage.setup(**modes)
  Coverage.resume
  load file.path
  covered(2)
  point.enable { covered(1) }
  p Coverage.peek_result[file.path], traced
  Coverage.suspend
  covered(5)
  Coverage.resume
  covered(1)
  point.enable(target: method(:covered)) { covered(1) }
  covered(1)
  p Coverage.result(stop: true, clear: true)[file.path], traced
  covered(1)
end
