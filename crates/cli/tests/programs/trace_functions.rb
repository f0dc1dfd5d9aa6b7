# set_trace_func of the program and of a thread; threads, fibers and TracePoint.allow_reentry.
def helper(x)
  x.to_s
end

list = []
set_trace_func proc { |event, file, line, id, binding, klass|
  list << [event, line, id, klass, binding.class] if file == __FILE__
}
helper(1)
set_trace_func(nil)
list.each { p _1 }
begin
  set_trace_func(1)
rescue TypeError => e
  p e.message
end

list = []
thread = Thread.new do
  Thread.current.set_trace_func(proc { |event, _, line, id, *| list << [1, event, line, id] })
  Thread.current.add_trace_func(proc { |event, _, line, id, *| list << [2, event, line, id] if event == "call" })
  helper(2)
  Thread.current.set_trace_func(nil)
end
thread.join
helper(3)
p list.select { _1[0] == 1 }.map { _1[1] }
p list.count { _1[0] == 2 }

events = []
tp = TracePoint.new(:thread_begin, :thread_end) { |t| events << [t.event, t.self.class] }
tp.enable
Thread.new {}.join
Thread.new { Thread.current.report_on_exception = false; raise "x" }.join rescue p $!
tp.disable
p events

depth = 0
tp = TracePoint.new(:call) do
  depth += 1
  TracePoint.allow_reentry { helper(1) } if depth < 3
end
tp.enable { helper(1) }
p depth
begin
  TracePoint.allow_reentry {}
rescue RuntimeError => e
  p e.message
end
begin
  tp.lineno
rescue RuntimeError => e
  p e.message
end
p RubyVM.stat.keys
p RubyVM.stat(:next_shape_id).class
begin
  RubyVM.stat(:none)
rescue ArgumentError => e
  p e.message
end
p TracePoint.stat.values.first
tp.enable
p TracePoint.stat.values.first
tp.disable
list = []
TracePoint.new(:c_call) { |t| list << [t.method_id, t.lineno] }.enable { [1].map(&:to_s); {a: 1}.each_value(&:succ) }
p list
