# Compiled code leaves the frames of inlined methods unwritten while it calls a method that is not inlined. Everything
# that looks at the stack from inside such a call finds them: backtraces, handlers, jumps, the collector, other threads.

# Too long to be inlined.
def look(way)
  n = 0
  n += 1 if way == 1
  n += 2 if way == 2
  n += 3 if way == 3
  n += 4 if way == 4
  n += 5 if way == 5
  n += 6 if way == 6
  n += 7 if way == 7
  n += 8 if way == 8
  n += 9 if way == 9
  n += 10 if way == 10
  case way
  when :caller then caller_locations(0, 6).map { |at| "#{at.label.sub(/.*#/, "")}:#{at.lineno}" }
  when :raise then raise "from look"
  when :throw then throw :out, [:thrown, way]
  when :collect then GC.start
  when :compact then GC.compact.class
  when :wait then Fiber.yield(way)
  when :locals then binding.local_variables
  when :again then $again.call
  else n
  end
end

def inner(way)
  [look(way), way]
end

def middle(way)
  a = [way]
  r = inner(a[0])
  [r, a]
end

def rescued(way)
  middle(way)
rescue RuntimeError => error
  [error.message, error.backtrace.first(5).map { |line| line[/:(\d+:in .*)/, 1] }]
ensure
  $ensured += 1
end

def outer(way) = rescued(way)

$ensured = 0
ways = [1, 2, 3, 4, 5]
2000.times { |i| outer(ways[i % 5]) }

3.times { p outer(:caller) }
3.times { p outer(:raise) }
3.times { p catch(:out) { outer(:throw) } }
3.times { p outer(:collect) }
p outer(:compact)
3.times { p outer(:locals) }

# A fiber that is suspended in such a call, and resumed after the code was compiled again.
fibers = Array.new(5) { Fiber.new { outer(:wait) } }
fibers.each(&:resume)
GC.start
2000.times { |i| outer(i.odd? ? 1.5 : "text") }
p fibers.map { |fiber| fiber.backtrace.size }.uniq.size
p fibers.map(&:resume).uniq

# A method that the code relies on is redefined during the call: the frames continue in the interpreter.
$again = lambda do
  Object.class_eval { def middle(way) = [:new, inner(way)] }
  caller(2, 4).map { |line| line[/in '(.*)'/, 1] }
end
p outer(:again)
p outer(1)

# Another thread's stack.
thread = Thread.new { $again = -> { sleep }; outer(:again) }
Thread.pass until thread.stop?
p thread.backtrace.map { |line| line[/in '(?:Object#)?(.*)'/, 1] }
thread.kill.join

# Deep recursion through inlined methods, and the frames of all calls.
def count(n) = n == 0 ? caller.size : step(n)
def step(n) = again(n - 1)

def again(n)
  look(n)
  count(n)
end
200.times { count(20) }
p count(1000) - count(0)
p $ensured

# A trace point that is set in the middle of such a call sees the methods return.
lines = []
trace = TracePoint.new(:return) { |event| lines << event.method_id }
$again = -> { trace.enable }
outer(:again)
trace.disable
p lines
