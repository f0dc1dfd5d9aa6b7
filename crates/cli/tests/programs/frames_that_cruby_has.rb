# The lines of backtraces for methods that CRuby's classes inherit, for `new` with a block, and for operators.
def labels
  yield
rescue Exception => e
  e.backtrace.map { |line| line[/'.*'/] }.take_while { |label| label != "'Object#labels'" }[0..-2]
end

class Counter
  def initialize(*) = raise("no")
end

class Failing
  def <=>(other) = raise("no")
  def hash = raise("no")
end

p labels { [3, 1].sort_by { raise "no" } }
p labels { [1, 2].sort_by { Failing.new } }
p labels { [3, 1].max_by { raise "no" } }
p labels { [3, 1].reduce { raise "no" } }
p labels { [1, nil].inject(:+) }
p labels { [1].each_slice(0) {} }
p labels { [1].each_slice(1) { [1].each_with_index { raise "no" } } }
p labels { [Failing.new].tally }
p labels { [1].flat_map { Failing.new.hash } }
p labels { { a: 1 }.map { raise "no" } }
p labels { (1..3).sum { raise "no" } }
p labels { Counter.new }
p labels { Counter.new {} }
p labels { "".freeze << "a" }
p labels { [].freeze << 1 }
p labels { [].freeze.<<(1) }
p labels { [].freeze.send(:<<, 1) }
p labels { {}.freeze[1] = 2 }
p labels { [][nil] }
p labels { Hash.new { raise "no" }[1] }
p labels { 1 + nil }
p labels { "a"[nil] }
p labels { exit }
p labels { Process.exit }
p labels { spawn("/nonexistent") }
p labels { system("/nonexistent", exception: true) }
p labels { `/nonexistent` }

def where = caller_locations(1, 3).map(&:label)
[1].each_with_object(2) { p where }
[1].each_with_object(2) { p caller(2, 1).map { |line| line[/'.*'/] } }
