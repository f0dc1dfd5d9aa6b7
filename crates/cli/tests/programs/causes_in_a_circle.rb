# Exceptions that are causes of each other: a third one may name them as its cause, and a dump may not make such ones.
e = RuntimeError.new("e")
begin
  raise "a", cause: e
rescue => a
  begin
    raise e
  rescue => again
    p again.cause
  end
  begin
    Thread.current.raise(e)
  rescue => again
    p again.cause.equal?(a), a.cause.equal?(e)
  end
end
begin
  raise "z", cause: a
rescue => z
  p z.cause
  p z.full_message(highlight: false).lines.size
end
begin
  raise a, cause: e
rescue ArgumentError => error
  p error.message
end
circle = "\x04\bo:\x11RuntimeError\b:\tmesgI\"\berr\x06:\x06ET:\abt[\x00:\ncause@\x00"
begin
  Marshal.load(circle)
rescue ArgumentError => error
  p error.message
end
