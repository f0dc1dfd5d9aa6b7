# Exceptions with set_backtrace and with a `backtrace` method of their own: recorded from CRuby 3.4.11.
class Recording < RuntimeError
  attr_reader :kinds

  def set_backtrace(lines)
    super
    (@kinds ||= []) << lines.class
  end
end

def shown
  yield
rescue => error
  p error.kinds, error.backtrace.class
  error
end

again = shown { raise Recording, "x" }
shown { raise again }
shown { raise Recording.new("x") }
shown { raise Recording, "x", ["here"] }
shown { raise Recording, "x", nil }
Thread.new { shown { raise Recording, "in a thread" } }.join

class Own < StandardError
  def backtrace = @lines ||= ["own"]
end
begin
  raise Own
rescue => error
  p error.backtrace, error.backtrace_locations
end

class Deaf < StandardError
  def set_backtrace(lines) = p(lines.class)
end
begin
  raise Deaf
rescue => error
  p error.backtrace
end

class Worse < StandardError
  def set_backtrace(_) = raise(IOError, "while raising")
end
begin
  raise Worse
rescue => error
  p error.class, error.message
end
