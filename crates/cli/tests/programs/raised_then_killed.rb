# A thread that is killed right after `raise` from another thread ends by the exception, and reports it.
# Recorded from CRuby 3.4.11.
require "stringio"
$stderr = StringIO.new
ready = false
thread = Thread.new { ready = true; sleep }
Thread.pass until ready && thread.stop?
thread.raise RuntimeError, "first"
thread.kill
Thread.pass while thread.alive?
begin
  thread.join
rescue => error
  p error, $stderr.string[/terminated with exception/]
end
