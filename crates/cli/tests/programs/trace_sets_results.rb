# The block of a trace point that sets a local variable does not change the value that a method or block returns.
def parameter(x) = x

def assigned
  x = 1
  return x
end

def captured
  x = 1
  [1].each { |y| x = y + 1 }
  x
end

def with_branches
  x = 1
  if x then x else 0 end
end

def with_ensure
  x = 1
  begin
    x
  ensure
    x = 3
  end
end

def operator
  x = 1
  x = x + 5
end

def keeps_block
  x = 1
  $block = proc { x }
  x
end

define_method(:from_block) { |x| x }

$bindings = []
def hooked(event, value)
  point = TracePoint.new(event) do |tp|
    scope = tp.binding
    next unless scope.local_variable_defined?(:x)
    $bindings << scope
    scope.local_variable_set(:x, value)
  end
  point.enable { yield }
end

def run_all
  [parameter(7), assigned, captured, with_branches, with_ensure, operator, keeps_block, from_block(8)]
end

def blocks
  [proc { |x| x }.call(3), lambda { |x| x }.call(4), lambda { |x| return x }.call(5), [6].map { |x| next x }]
end

[:cold, :hot].each do |state|
  300.times { run_all; blocks } if state == :hot
  [:call, :b_call, :line, :return, :b_return].each do |event|
    $bindings.clear
    p [state, event, hooked(event, 42) { run_all }, $block.call, hooked(event, 43) { blocks }]
    p $bindings.map { |scope| scope.local_variable_get(:x) }.tally
  end
  # Two trace points for one event.
  first = TracePoint.new(:return) { |tp| tp.binding.local_variable_set(:x, 1) }
  second = TracePoint.new(:return) { |tp| p tp.return_value; tp.binding.local_variable_set(:x, 2) }
  first.enable(target: method(:parameter)) { second.enable(target: method(:parameter)) { p parameter(9) } }
end
