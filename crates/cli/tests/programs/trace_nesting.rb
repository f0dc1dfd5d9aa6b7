# Several trace points at one location, enabled, disabled and raising while the code runs; an event's binding.
def spot(x)
  y = x + 1
  z = y * 2
  z
end

def lines(list) = TracePoint.new(:line) { |tp| list << tp.lineno if tp.method_id == :spot }

# Set while the method runs.
def later(tp)
  a = 1
  tp.enable(target: method(:later))
  b = 2
  a + b
end
list = []
tp = TracePoint.new(:line, :return) { |t| list << [t.event, t.lineno] }
p later(tp), list
tp.disable
list.clear
later(TracePoint.new(:line) {})
p list

# Disabled from within.
list = []
tp = TracePoint.new(:line) { |t| list << t.lineno; tp.disable }
tp.enable(target: method(:spot))
2.times { spot(1) }
p list, tp.enabled?

# Enabled from within.
list = []
inner = TracePoint.new(:line) { |t| list << [:inner, t.lineno] }
outer = TracePoint.new(:call) { inner.enable(target: method(:spot)) unless inner.enabled? }
outer.enable(target: method(:spot)) { spot(1) }
p list
inner.disable

# Raising from within, at each kind of event.
class Stop < StandardError; end
%i[line call return].each do |event|
  tp = TracePoint.new(event) { |t| raise Stop, "at #{t.event}" if t.method_id == :spot }
  begin
    tp.enable(target: method(:spot)) { p spot(1) }
  rescue Stop => e
    p [e.message, e.backtrace_locations.map(&:label).grep(/spot/).size]
  end
  p spot(1)
end
tp = TracePoint.new(:c_call) { |t| raise Stop, "at #{t.method_id}" if t.method_id == :upcase }
begin
  tp.enable { "a".upcase }
rescue Stop => e
  p e.message
end
tp = TracePoint.new(:c_return) { |t| raise Stop, t.return_value if t.method_id == :upcase }
begin
  tp.enable { "a".upcase }
rescue Stop => e
  p e.message
end
# An ensure runs while its frame is left, and its lines are reported.
def guarded
  yield
ensure
  @cleaned = true
end
list = []
TracePoint.new(:line) { |t| list << t.lineno if t.method_id == :guarded }.enable do
  guarded { raise "x" } rescue nil
  guarded { 1 }
end
p list.uniq.size, @cleaned

# The binding of an event reads, writes and adds local variables.
seen = []
tp = TracePoint.new(:line) do |t|
  b = t.binding
  seen << b.local_variables
  b.local_variable_set(:y, 100) if t.lineno == 5
  b.local_variable_set(:added, 7)
  seen << b.eval("added + x") << b.receiver.class << b.source_location.last
end
p tp.enable(target: method(:spot)) { spot(1) }
p seen

# Recursion, blocks and threads.
def down(n) = n.zero? ? 0 : down(n - 1)
depth = 0
TracePoint.new(:call) { depth += 1 }.enable(target: method(:down)) { down(20) }
p depth
main = Thread.current
tp = TracePoint.new(:line) {}
begin
  tp.enable(target_thread: main) { tp.enable(target_thread: main) {} }
rescue ArgumentError => e
  p e.message
end
tp.disable
nested = proc { |x| [x].map { |y| proc { y + 1 }.call } }
list = []
TracePoint.new(:line, :b_call) { |t| list << t.event }.enable(target: nested) { nested.call(1) }
p list.tally
p TracePoint.new(:call) { }.enable { 5 }
p TracePoint.new(:call) { }.disable, tp.enabled?

# Frames that were entered before a trace point was set are reported when they are left.
list = []
tp = TracePoint.new(:return, :b_return) { |t| list << [t.event, t.method_id] if t.method_id == :early }
def early(tp)
  [1].each { tp.enable }
  1
end
early(tp)
tp.disable
p list.first(2)

# Set by the call's event, for the line's event at the same position.
list = []
line = TracePoint.new(:line) { |t| list << t.lineno }
call = TracePoint.new(:call) { line.enable(target: method(:spot)) unless line.enabled? }
call.enable(target: method(:spot)) { spot(1) }
line.disable
p list
