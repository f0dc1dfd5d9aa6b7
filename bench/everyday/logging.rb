# Writes a log with Logger and reads it back from a StringIO.
require "logger"
require "stringio"
io = StringIO.new
logger = Logger.new(io, progname: "app", level: Logger::INFO)
plain = Logger.new(io, formatter: ->(severity, _time, _name, message) { "#{severity[0]}: #{message}\n" })
12_000.times do |i|
  logger.info("request #{i}")
  logger.debug { "never built #{i}" }
  plain.warn { "slow request #{i}" } if i % 3 == 0
end
io.rewind
levels = Hash.new(0)
io.each_line { |line| levels[line[/\A[IWE](?=[,:])/]] += 1 }
io.rewind
io.gets
puts levels.inspect, io.lineno > 0, io.string.lines.last[/#\d+\].*/].sub(/\d+/, "pid"), io.read(20).size
