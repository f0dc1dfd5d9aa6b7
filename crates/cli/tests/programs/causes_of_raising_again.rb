# An exception that was raised without a cause gets one when it is raised again, unless it is a cause itself.
def show(e) = p(e.message, e.cause&.message)

# Raises an exception while another one is being rescued.
def again(other, e, **options)
  begin
    raise other
  rescue
    raise e, **options
  end
rescue => e
  show e
end

begin
  raise "first"
rescue => first
end
again("second", first)
again("third", first)
again("third", first, cause: nil)
begin
  raise "inner"
rescue => inner
end
begin
  begin
    raise inner
  rescue
    raise "outer"
  end
rescue => outer
  show outer
end
again("other", inner)
again(outer, inner)
begin
  begin
    raise "same"
  rescue => same
    raise same
  end
rescue => e
  show e
end
thread = Thread.new { sleep }
thread.report_on_exception = false
waiting = (Integer("x") rescue $!)
begin
  raise "here"
rescue
  thread.raise(waiting)
end
begin
  thread.join
rescue => e
  show e
end
