# The event of an exception has the core method that raises it, with its receiver: `raise` and missing ones have ended.
seen = nil
point = TracePoint.new(:raise) do |event|
  seen << [event.method_id, event.callee_id, event.defined_class, event.self, event.lineno - event.binding.eval("here")]
end
def collected
  here = __LINE__
  1 / 0 rescue 1
  [].fetch(3) rescue 2
  [3].each { |x| x / 0 } rescue 3
  [3, 2].sort_by { |x| x / 0 } rescue 4
  nope rescue 5
  Nope rescue 6
  "a".foo rescue 7
  raise "x" rescue 8
  [1, 2].max_by { raise "a" } rescue 9
  {}.fetch(1) rescue 10
  throw :x rescue 11
  1.clamp(3, 1) rescue 12
  File.read("/nonexist") rescue 13
  1.times { raise "y" } rescue 14
  Object.const_get(:Xy) rescue 15
  [3].map(&:nope) rescue 16
end
2.times do
  seen = []
  point.enable { collected }
  puts seen.map(&:inspect), nil
end
200.times { collected }
seen = []
point.enable { collected }
p seen.size, seen.first, seen.last

# Methods of the exception are called while it is raised.
events = []
main = Thread.current
calls = TracePoint.new(:c_call, :c_return, :raise) { |e| events << [e.event, e.method_id] if Thread.current == main }
[-> { 1 / 0 }, -> { [].fetch(3) }, -> { [[1], [2, 3]].transpose }].each do |code|
  calls.enable
  begin
    code.call
  rescue IndexError, ZeroDivisionError
  end
  calls.disable
  p events
  events.clear
end
