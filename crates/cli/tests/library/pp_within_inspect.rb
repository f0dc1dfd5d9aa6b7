# pp marks what it is printing, so that an `inspect` of the program does not print it again.
require "pp"

class Box
  def initialize(content) = @content = content
  def inspect = "<#{@content.inspect}>"
end

Pair = Struct.new(:box)

2.times do
  list = []
  list << Box.new(list)
  pp list
  puts list.inspect
  hash = {}
  hash[:box] = Box.new(hash)
  pp hash
  struct = Pair.new
  struct.box = Box.new(struct)
  pp struct, [list, struct]
  pp [1, [2, list]], Box.new([1])
  p Thread.new { list.inspect }.value
end

# The mark is that of pp alone.
list = [1]
Thread.current[:__recursive_key__][:inspect] = nil
p list
