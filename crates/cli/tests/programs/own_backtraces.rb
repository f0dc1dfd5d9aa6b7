# Exceptions raised by a program's own `backtrace` and `set_backtrace` while an exception is being raised are discarded.
class Raises < StandardError; def backtrace = raise("another"); end
class Demands < StandardError; def backtrace(depth) = nil; end
class Sets < StandardError; def set_backtrace(*) = raise("another"); end

[Raises, Demands, Sets].each do |kind|
  raise kind
rescue => e
  p e.class, e.message
end

class Exception; undef backtrace; def backtrace(depth) = nil; end
begin
  raise "in every exception"
rescue => e
  p e.class, e.message
end
