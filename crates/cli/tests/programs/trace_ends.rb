# Inside a trace point for the end of a body, the frame is at the line of that end. (Recorded from CRuby 4.1dev.)
def early(a)
  return 1 if a
  2
end
def late
  [1].each do |x|
    x
  end
  3
end
class Body
  X = 1
end
lines = []
trace = TracePoint.new(:return, :b_return, :end) { |tp| lines << [tp.event, tp.lineno, caller_locations(1, 1)[0].lineno] }
trace.enable do
  early(true)
  early(false)
  late
  class Body
    Y = 2
  end
end
lines.each { |line| p line }
