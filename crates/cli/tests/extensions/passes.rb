# Keywords that a method in C passes on to `super`, which is missing, and to a block.
require "thin"

class Above
  include Thin::Passes
  def method_missing(name, *list, **keywords) = [name, list, keywords]
  def respond_to_missing?(...) = true
end

class Blocks
  include Thin::Passes
  def none = yield
  def pass(*list, **keywords) = yield(*list, **keywords)
end

def results
  above, blocks = Above.new, Blocks.new
  [
    above.above, above.above(1, a: 2), above.above(**{}), above.above({b: 1}),
    blocks.through(:pass) { |*list, **keywords| [list, keywords] },
    blocks.through(:pass, 1, a: 2) { |*list, **keywords| [list, keywords] },
    blocks.through(:pass, {b: 1}) { |*list, **keywords| [list, keywords] },
    blocks.through(:pass, **{}) { |*list| list },
    blocks.through(:none) { 3 },
    (blocks.through(:none, a: 1) { 3 } rescue $!.message),
  ]
end

first = results
puts first.map(&:inspect)
p 20.times.all? { results == first }
