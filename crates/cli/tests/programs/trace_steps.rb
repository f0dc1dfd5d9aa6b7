# Recorded from CRuby 4.1dev.
# A trace point that is set and removed again and again, as a stepping debugger does: trace instructions stay in the code
# for a while after it is removed, and code that is compiled meanwhile has them, too.
def busy(n)
  sum = 0
  n.times do |i|
    sum += i
    sum -= 1
  end
  sum
end

seen = []
lines = TracePoint.new(:line, :return, :b_return) { |tp| seen << [tp.event, tp.lineno] if tp.path == __FILE__ }
shown = lambda do |what|
  puts "#{what}: #{seen.tally.sort_by { |(event, line), _| [line, event] }.inspect}"
  seen.clear
end

5.times { lines.enable { busy(2) } }
shown.("while enabled")
busy(3)
shown.("removed")
eval "def later(x)\n  y = x + 1\n  y * 2\nend\ndefine_method(:block) { |x|\n  x + 1 }", binding, __FILE__, 100 rescue p $!
self.class.define_method(:block) do |x|
  x + 1
end
later(1)
shown.("compiled meanwhile, not yet enabled")
lines.enable { later(1); block(2) }
shown.("compiled meanwhile")
busy(60_000)
later(1)
shown.("long after")
lines.enable { later(1); busy(1) }
shown.("enabled again")

targeted = TracePoint.new(:line) { |tp| seen << [:targeted, tp.lineno] }
targeted.enable(target: method(:busy))
busy(1)
shown.("targeted while others rest")
lines.enable { busy(1) }
shown.("both")
targeted.disable
busy(1)
shown.("none")
calls = TracePoint.new(:call) { |tp| seen << [:call, tp.lineno] if tp.path == __FILE__ }
calls.enable { busy(1) }
shown.("other events")
calls.enable
lines.enable { busy(1) }
busy(1)
calls.disable
busy(60_000)
shown.("overlapping")
lines.enable(target_thread: Thread.current) { Thread.new { busy(1) }.join }
shown.("another thread")
native = %i[c_call c_return]
every = TracePoint.new do |tp|
  seen << [tp.event, tp.lineno] if tp.path == __FILE__ && !native.include?(tp.event)
end
every.enable { later(2) }
lines.enable { later(2) }
later(2)
shown.("all events")
