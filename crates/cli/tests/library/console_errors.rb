# Errors of a stream that is no terminal name it, and the method for IO.console must be a Symbol.
require "io/console"

def error
  yield
rescue SystemCallError, TypeError => e
  e.message
end

File.open("/dev/null") do |file|
  p error { file.winsize }, error { file.echo? }, error { file.console_mode }, error { file.iflush }
end
IO.pipe { |r, w| p error { r.winsize }, error { w.raw {} } }
p error { IO.console("close") }
Warning[:experimental] = false
p Ractor.new { IO.console.nil? }.value == IO.console.nil?
