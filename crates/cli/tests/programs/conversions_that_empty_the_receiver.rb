# Sizes are taken after the last conversion that runs Ruby.
class Emptying
  def initialize(receiver) = @receiver = receiver
  def to_int = (@receiver.clear; 1)
end

def attempt
  yield.inspect
rescue IndexError, ArgumentError => error
  "#{error.class}: #{error.message}"
end

def results
  buffer = IO::Buffer.new(100)
  freeing = Object.new
  freeing.define_singleton_method(:to_int) { buffer.free; 5 }
  [
    attempt { a = [1] * 100; a.fill(0, Emptying.new(a)).size },
    attempt { a = [1] * 100; a.fill(0, 50, Emptying.new(a)) .size },
    attempt { s = "x" * 100; s.bytesplice(50, Emptying.new(s), "yy") },
    attempt { s = "x" * 100; t = "y" * 9; s.bytesplice(50, 1, t, 3, Emptying.new(s)) },
    attempt { s = "x" * 100; t = "y" * 9; s.bytesplice(50, 1, t, 3, Emptying.new(t)) },
    attempt { buffer.set_value(:U8, 0, freeing) }
  ]
end

Warning[:experimental] = false
puts results
p Array.new(300) { results }.uniq.size
