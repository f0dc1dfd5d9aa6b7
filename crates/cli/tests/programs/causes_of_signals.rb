# The exception of a signal has the exception that is being handled as its cause.
def interrupted(signal)
  Process.kill(signal, $$)
  sleep 5
rescue SignalException => e
  p e.class, e.cause
end

begin
  raise "rescued"
rescue
  interrupted(:INT)
  interrupted(:TERM)
end
begin
  begin
    raise "ensured"
  ensure
    interrupted(:INT)
  end
rescue
end
interrupted(:INT)
