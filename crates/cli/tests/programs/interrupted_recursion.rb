# Signals and exceptions of other threads reach calls that recurse without a loop. (Recorded from CRuby 4.1.0dev.)
class Stop < StandardError; end

def plain(n) = n < 2 ? n : plain(n - 1) + plain(n - 2)
def splat(*n) = n[0] < 2 ? 1 : splat(*[n[0] - 1]) + splat(n[0] - 2)
def yielding(n) = n < 2 ? yield : yielding(n - 1) { yield } + yielding(n - 2) { 1 }
define_method(:defined) { |n| n < 2 ? n : defined(n - 1) + defined(n - 2) }
LAMBDA = ->(n) { n < 2 ? n : LAMBDA.(n - 1) + LAMBDA[n - 2] }

class Tree
  def initialize(n) = n < 2 ? @n = n : @n = [Tree.new(n - 1), Tree.new(n - 2)].size
end

class Deep
  def ==(other)
    return true if $depth > 60
    $depth += 1
    result = ([self] == [other]) & ([self] == [other])
    $depth -= 1
    result
  end
end

endless = {
  plain: -> { plain(90) },
  splat: -> { splat(90) },
  yielding: -> { yielding(90) { 1 } },
  defined: -> { defined(90) },
  lambda: -> { LAMBDA.(90) },
  new: -> { Tree.new(90) },
  native: -> { $depth = 0; Deep.new == Deep.new },
}
endless.each do |name, body|
  main = Thread.current
  Thread.new { sleep 0.05; main.raise(Stop) }
  raised = begin
    body.call
  rescue Stop
    :raised
  end
  trap(:USR1) { throw :signalled, :signalled }
  Thread.new { sleep 0.05; Process.kill(:USR1, Process.pid) }
  p name, raised, catch(:signalled) { body.call }
end
