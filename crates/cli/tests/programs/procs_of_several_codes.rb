# A call site of Procs meets more and more kinds of them; `run` is hot before each new kind.
def run(handler, a, b) = handler.call(a, b)
def sent(handler, a, b) = handler.send(:call, a, b)
def indexed(handler, a, b) = handler[a, b]

def hot(handler)
  results = [:run, :sent, :indexed].map do |way|
    last = nil
    400.times { |i| last = method(way).unbind.bind_call(self, handler, i, 2) rescue last = $!.message }
    200.times { |i| last = run(handler, i, 2) rescue last = $!.message }
    last
  end
  results.uniq.size == 1 ? results[0] : results
end

count = 0
handlers = {
  adds: proc { |a, b| a + b },
  counts: proc { |a, b| count += a * b },
  lambda: ->(a, b) { a - b },
  returns: lambda { |a, b| return a * b },
  optional: proc { |a, b, c = 3| [a, b, c] },
  one: proc { |a| a },
  three: proc { |a, b, c| [a, b, c] },
  too_few: ->(a) { a },
  raises: proc { |a, b| raise "no #{b}" },
  nexts: proc { |a, b| next a if b; 1 },
  symbol: :+.to_proc,
  method: 5.method(:then).to_proc,
  curried: ->(a, b) { a <=> b }.curry,
  numbered: proc { _1 + _2 },
  keeps: proc { |a, b| [self, local = a, local, b, binding.local_variables.include?(:local)] },
}
handlers.each { |name, handler| puts "#{name}: #{hot(handler).inspect}" }
puts "again"
handlers.each { |name, handler| puts "#{name}: #{hot(handler).inspect}" }
p count

# The same code as a Proc and as a lambda, and another method's frame that a Proc returns from.
def make(kind, &block) = kind == :lambda ? lambda(&block) : block
bodies = Array.new(6) { |n| [proc { |a, b| [n, a, b] }, lambda { |a, b| [n, b, a] }] }.flatten
300.times { |i| bodies.each { |body| run(body, i, i) } }
p bodies.map { |body| run(body, 1, 2) }
p bodies.map { |body| run(body, [1], nil) }

def orphan = proc { |a, b| return a }
begin
  run(orphan, 1, 2)
rescue LocalJumpError => e
  p e.message
end
def from_inside = run(proc { |a, b| return [a, b] }, 3, 4)
p Array.new(300) { from_inside }.uniq
