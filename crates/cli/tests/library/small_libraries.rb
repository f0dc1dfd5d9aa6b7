# Recorded from CRuby 3.4.11.
# IO#wait in all its forms, getch of a stream that is not a terminal, syslog.
require "io/wait"
require "stringio"
require "io/console"
require "syslog"

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

r, w = IO.pipe
t { r.wait(0, :r) }
t { w.wait(0, :w).equal?(w) }
t { w.wait(:write, 0).equal?(w) }
t { w.wait(IO::WRITABLE, 0) }
t { r.wait(0, :wrong) }
t { r.wait(0, 1, :r) }
t { r.wait(0, 0) }
w.write "x"
t { r.wait(0, :rw).equal?(r) }
t { r.close; r.wait(0, :r) }

t { s = StringIO.new("äb"); [s.getch, s.pos, s.getch, s.getch] }
t { s = StringIO.new(+"secret\nx"); [s.getpass, s.string] }
t { StringIO.new(+"").getpass }

t { Syslog.inspect }
t { Syslog.log(Syslog::LOG_INFO, "x") }
t { Syslog.mask = 3 }
t { Syslog.close }
t { Syslog.open("sample", Syslog::LOG_PID, Syslog::LOG_LOCAL1) { |log| p log, log.ident, log.options, log.facility, log.mask; 3 } }
t { Syslog.opened? }
t { Syslog.open("sample", Syslog::LOG_PERROR | Syslog::LOG_NDELAY).equal?(Syslog) }
t { Syslog.open }
t { Syslog.mask = Syslog::LOG_UPTO(Syslog::LOG_ERR); Syslog.mask }
t { Syslog.info("not %s", "shown") }
t { Syslog.log("x", "y") }
t { Syslog.log(1) }
t { Syslog.err }
t { Syslog.reopen("other", 0, 0).ident }
t { Syslog.close }
t { Syslog::Constants::LOG_MASK(3) }
t { Syslog::Level.constants.sort }

class Buffered < StringIO
  def initialize = super.binmode
end
p Buffered.new.external_encoding
