# `raise` asks an exception for its backtrace, which trace points of native calls show.

def events(*kinds)
  seen = []
  trace = TracePoint.new(*kinds) { |point| seen << [point.event, point.method_id, point.defined_class] }
  trace.enable { yield }
  seen
end

2.times do
  puts(events(:c_call, :c_return) { raise ArgumentError, "x" rescue 0 }.map(&:inspect))
  puts(events(:c_call) { raise "x" rescue 0 }.map(&:inspect))
  error = RuntimeError.new("again")
  puts(events(:c_call, :raise) { raise error rescue 0 }.map(&:inspect))
  puts(events(:c_call) { raise error rescue 0 }.map(&:inspect))
  p(events(:raise) { raise "x" rescue 0 }.map(&:first))
end

# BasicObject's method_missing is called for a method that does not exist.
2.times do
  p(events(:c_call, :c_return) { nothing_here rescue 0 }.select { |_, name,| name == :method_missing })
  p(events(:c_call) { nil.nothing_there rescue 0 }.select { |_, name,| name == :method_missing })
end
begin
  events(:c_call) { nil.nothing_there }
rescue NoMethodError => error
  puts error.message, error.backtrace.first[/'.*'/]
end
