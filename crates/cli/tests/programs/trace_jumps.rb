# A block that is left only by a jump, a lambda and a method made of a block have their events of leaving.
def from_method = [1, 2].each { |x| return x }
def broken = [1, 2].each { |x| break x }
def from_lambda = lambda { return 3 }.call
define_singleton_method(:from_body) { return 4 }
define_singleton_method(:later) { |x| return x if x; 5 }

def seen(*events)
  list = []
  trace = TracePoint.new(*events) { |t| list << [t.event, t.method_id, t.return_value] }
  trace.enable { yield }
  list[..-2]
end

[:b_return, :return].each do |event|
  p seen(event) { from_method }, seen(event) { broken }, seen(event) { from_lambda }
  p seen(event) { from_body }, seen(event) { later(6) }, seen(event) { later(nil) }
end
200.times { from_method + broken + from_lambda + from_body + later(6) }
p seen(:b_return, :return) { from_method; from_lambda; from_body }

# `raise` has returned when the event of its exception occurs.
frames = nil
trace = TracePoint.new(:raise) { |t| frames = [t.lineno, *caller_locations(1, 2).map { |place| [place.label, place.lineno] }] }
def raises = raise("x")
def native = [].fetch(3)
trace.enable { raises rescue p frames }
trace.enable { native rescue p frames }

# A `redo` does not call the block again.
count = 0
redone = []
TracePoint.new(:b_call, :b_return) { |t| redone << t.event }.enable { [1].each { redo if (count += 1) < 4 } }
p redone

# The exception of a fiber or thread is raised again where that is waited for.
raised = []
TracePoint.new(:raise) { |t| raised << t.raised_exception.message }.enable do
  Fiber.new { raise "in a fiber" }.resume rescue 0
  thread = Thread.new { Thread.current.report_on_exception = false; raise "in a thread" }
  thread.join rescue 0
  thread.value rescue 0
end
p raised
