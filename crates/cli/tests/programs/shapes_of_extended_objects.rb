# An object that gets a singleton class keeps its variables; the class makes one shape, however many there are.
module Helped
  def both = [@a, @d]
end

class Node
  attr_accessor :a, :b, :c, :d, :later

  def initialize(a) = (@a, @b, @c, @d = a, 2, 3, 4)
end

node = Node.new(1).extend(Helped)
p node.both, node.instance_variables
node.later = 5
other = Node.new(6).extend(Helped)
other.later = 7
p node.later, other.later, other.instance_variables, other.both
p node.remove_instance_variable(:@b), node.instance_variables, node.both, node.later
copy = other.clone
copy.later = 8
p copy.both, copy.later, other.later, copy.singleton_class == other.singleton_class
plain = other.dup
p plain.instance_variables, plain.respond_to?(:both), plain.later
300.times { |i| other.instance_variable_set("@x#{i}", i) }
p other.both, other.instance_variable_get(:@x299), other.instance_variables.size
# The singleton class of a module with variables, and that of its singleton class.
mod = Module.new { @x, @y = 1, 2 }
def mod.sum = @x + @y
mod.singleton_class.instance_variable_set(:@z, 3)
def (mod.singleton_class).z = @z
p mod.sum, mod.singleton_class.z
text = +"text"
text.instance_variable_set(:@note, 1)
def text.note = @note
p text.note, text.instance_variable_set(:@other, 2), text.instance_variables

def shapes = RubyVM.stat(:next_shape_id)
kept = [Node.new(0).extend(Helped)]
before = shapes
kept.concat(Array.new(100) { |i| Node.new(i).extend(Helped) })
puts shapes - before < 130 ? "one each" : shapes - before
p kept.sum { |n| n.both.sum }
kept = nil
GC.start
p Node.new(3).both rescue p $!.class
