# An exception that is told of its backtrace, or has one of its own: recorded from CRuby 3.4.11.
class Told < RuntimeError
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

again = shown { raise Told, "x" }
shown { raise again }
shown { raise Told.new("x") }
shown { raise Told, "x", ["here"] }
shown { raise Told, "x", nil }
Thread.new { shown { raise Told, "in a thread" } }.join

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
