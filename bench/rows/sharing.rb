# Time to build nodes that share one empty object, relative to nodes with an object of their own each.

require_relative "rows"

Node = Struct.new(:name, :required, :optional)
class Eight; def initialize = @a = @b = @c = @d = @e = @f = @g = @h = nil; end

KINDS = { "hash" => -> { {} }, "array" => -> { [] }, "object of 8" => -> { Eight.new } }.freeze

def build(make)
  GC.start
  seconds { @nodes = Array.new(300_000) { |i| Node.new("m#{i}", make.call, make.call) } }
end

[["small heap", 0], ["large heap", 1_000_000]].each do |heap, size|
  old = Array.new(size) { |i| [i.to_s] }
  KINDS.each do |kind, make|
    one = make.call
    own = Array.new(3) { build(make) }.min
    shared = Array.new(3) { build(-> { one }) }.min
    figure "#{heap}, shared #{kind} / own", shared / own
  end
  old.clear
end
