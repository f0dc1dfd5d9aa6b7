# Integer() and %d: a `to_int` that does not answer is as one that is missing.

class Text
  def initialize(&block) = @block = block
  def to_int = @block.call
  def to_str = "42"
end

class Number < Text
  undef to_str
  def to_i = 43
end

def conversions(&block)
  [Text, Number].map { |c| [Integer(c.new(&block)), format("%d %x", c.new(&block), c.new(&block))] }
end

def results
  [
    conversions { raise "no" },
    catch(:out) { conversions { throw :out, 1 } },
    conversions { raise Exception, "no" },
    Integer(Number.new { raise "no" }, exception: false),
    $!,
  ]
end

p results
first = results
p 300.times.all? { results == first }

# The end of a thread is not held up.
thread = Thread.new { Integer(Number.new { Thread.exit }) and p :continued }
p thread.value

# Math.sqrt knows Complex; names of files have no null byte.
p (1..300).map { Math.sqrt(Complex(3, -4)) }.uniq, Math.sqrt(Complex(-4, 0)), Math.sqrt(Complex(0, 2))
[-> { File.read("a\0b") }, -> { require "a\0b" }, -> { Object.autoload(:Xy, "a\0b") }, -> { File.join("a\0b") }].each do |f|
  f.call
rescue ArgumentError => e
  p e.message
end
