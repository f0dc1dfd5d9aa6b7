# An exception that was raised without a cause gets one when it is raised again, unless it is a cause itself.
def show(e) = p(e.message, e.cause&.message)
begin
  raise "first"
rescue => first
end
begin
  begin
    raise "second"
  rescue
    raise first
  end
rescue => e
  show e
end
begin
  begin
    raise "third"
  rescue
    raise first
  end
rescue => e
  show e
end
begin
  begin
    raise "third"
  rescue
    raise first, cause: nil
  end
rescue => e
  show e
end
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
begin
  begin
    raise "other"
  rescue
    raise inner
  end
rescue => e
  show e
end
begin
  begin
    raise outer
  rescue
    raise inner
  end
rescue => e
  show e
end
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
