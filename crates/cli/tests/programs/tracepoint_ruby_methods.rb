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
set_trace_func(proc do |event, file, line, name, *|
  seen << [event, file.to_s[/<.*>/], name] if event.end_with?("call")
end)
tap { 1 }
[2].first
set_trace_func(nil)
p seen

# Methods with the same block are told apart; `each` is called by methods of Enumerable.
block = proc {}
object = Object.new
object.define_singleton_method(:one, &block)
object.define_singleton_method(:two, &block)
seen = []
TracePoint.new(:call, :return) { |tp| seen << [tp.event, tp.method_id] }.enable(target: object.method(:one)) do
  object.one
  object.two
end
p seen
characters = Class.new(String) do
  include Enumerable
  alias each each_char
end.new("foo")
seen = []
point = TracePoint.new(:c_return) { |tp| seen << [tp.method_id, tp.callee_id] if tp.path == __FILE__ }
point.enable { characters.find { true } }
p seen.first

# A trace function ends with its thread.
Thread.new { Thread.current.set_trace_func(proc {}) }.join
p TracePoint.stat.values.first.first

# `p` writes without a call if the stream is an IO with its own `write`.
TracePoint.new(:c_call) { |tp| p tp.method_id if tp.path == __FILE__ }.enable { p 1 }

# A Ractor hears its own events only.
def heard = nil
Warning[:experimental] = false
counts = [1, 2].map do
  Ractor.new do
    count = 0
    listener = TracePoint.new(:call) { |tp| count += 1 if tp.method_id == :heard }
    listener.enable { [1, 2, 3].each { heard } }
    count
  end
end
heard
p counts.map(&:value)
