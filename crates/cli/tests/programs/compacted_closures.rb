# Closures while compaction moves everything movable: scopes point into environments, which are therefore pinned. The
# output is the same in every Ruby.
GC.auto_compact = true
GC.stress = true

class Steps
  include Enumerable

  def initialize(&block) = @step = ->(consumer) { proc { |*x| consumer.call(block.call(*x)) } }

  def each(&block)
    step = @step.call(block)
    (1..3).each(&step)
  end
end

2.times { p Steps.new { |x| [x] }.to_a }
Steps.new { |x| [x] }.each { |x| p x }
even = (10..).lazy.select(&:even?).take(10)
odd = (20..).lazy.select(&:odd?)
both = (even + odd).select { |x| x % 3 == 0 }
p both.next, both.next, both.next, both.next
