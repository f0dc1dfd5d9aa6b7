# IO.pipe's block with one parameter, the first fibers of threads that have ended, a file of rubygems required first.
IO.pipe { |ends| p ends.map(&:class) }
IO.pipe { |reader, writer| writer << "x"; writer.close; p reader.read }
fiber = nil
Thread.new { fiber = Fiber.current }.join
p fiber.alive?
thread = Thread.new { fiber = Fiber.current; sleep }
Thread.pass until thread.stop?
p fiber.alive?, thread.kill.join.alive?, fiber.alive?, fiber.inspect[/\(\w+\)/]
require "rubygems/version"
p Gem::Version.new("1.10") > Gem::Version.new("1.9")
