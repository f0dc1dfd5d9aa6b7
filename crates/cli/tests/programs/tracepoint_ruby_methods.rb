# Core methods that CRuby writes in Ruby: events call and return in `<internal:…>`, no c_call.
class Empty; end

def traced(*events)
  seen = []
  trace = TracePoint.new(*events) do |tp|
    internal = tp.path.start_with?("<internal:")
    # Calls that CRuby's Ruby code makes are not Beni's.
    next if internal ? tp.method_id == :enable || tp.event.start_with?("c_") : tp.path != __FILE__
    owner = tp.defined_class.name
    seen << [tp.event, tp.method_id, owner, internal ? tp.path : tp.lineno - __LINE__]
  end
  trace.enable(target_thread: Thread.current)
  yield
  trace.disable
  seen
end

def work
  tap { 1 }
  [3, 4].first
  2.times { |i| i }
  loop { break }
  :symbol.to_s
  1.zero?
  Empty.new
  [1].map { |x| x }
  [].push(1)
  "a".unpack("a")
  Integer("3")
  [1].reverse_each {}
  Thread::Queue.new.push(1)
  nil.to_a
end

def failing
  tap { raise "in the block" }
rescue RuntimeError
  :rescued
end

p traced(:call, :return) { tap { 1 } }
traced(:call, :return, :c_call, :c_return) { work }.each { |event| p event }
p traced(:c_call) { work }
p traced(:call) { work }.map { |event| event[1] }
p traced(:call, :return) { failing }
p traced(:call, :return) { Class.new { def run = loop { return 5 } }.new.run }

# `disable` is such a method, too.
names = []
trace = TracePoint.trace(:call) { |tp| names << tp.method_id }
failing
trace.disable { failing }
trace.disable
p names

# A program's own method is none.
class Integer
  alias times_before times
  def times = times_before { |i| yield i }
end
p traced(:call) { 1.times {} }.map { |event| event[1..2] }

# Without special instructions, `new` is a call.
options = RubyVM::InstructionSequence.compile_option
p traced(:c_call) { eval("Empty.new", nil, __FILE__, 1) }.map { |event| event[1] }
RubyVM::InstructionSequence.compile_option = { specialized_instruction: false }
p traced(:c_call) { eval("Empty.new", nil, __FILE__, 1) }.map { |event| event[1] }
RubyVM::InstructionSequence.compile_option = options

# set_trace_func has the same events.
seen = []
set_trace_func(proc { |event, file, line, name, *| seen << [event, file.to_s[/<.*>/], name] if event.end_with?("call") })
tap { 1 }
[2].first
set_trace_func(nil)
p seen
