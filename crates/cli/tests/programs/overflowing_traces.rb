# The blocks of trace points that let the stack overflow are not called for the frames that this pops.
class Called
  def me = 1
end
[%i[call], %i[return], %i[call return], %i[call raise], %i[b_call b_return]].each do |events|
  point = TracePoint.new(*events) do |trace|
    TracePoint.allow_reentry { Called.new.me; proc { 1 }.call }
    trace.lineno
  end
  begin
    point.enable { Called.new.me; proc { 1 }.call }
  rescue SystemStackError => error
    p error.class
  end
end
# Neither are the methods of the exception.
class SystemStackError
  def backtrace = backtrace
  def set_backtrace(lines) = set_backtrace(lines)
end
def deep = deep
begin
  deep
rescue SystemStackError => error
  puts error.message
end
