# Calls that reach many methods: a visitor over 24 classes of nodes, `send` of varying names, iterators with a dozen
# blocks, and calls of a dozen lambdas.
require_relative "harness"

CLASSES = 24.times.map do |n|
  Class.new do
    class_eval <<~RUBY
      attr_reader :children
      def initialize(children) = @children = children
      def accept(visitor) = visitor.visit_#{n}(self)
      def weight(scale, offset = #{n}) = scale * offset
    RUBY
  end
end

class Visitor
  attr_reader :seen
  def initialize = @seen = 0

  24.times do |n|
    class_eval <<~RUBY
      def visit_#{n}(node)
        @seen += node.weight(1)
        node.children.each { |child| child.accept(self) }
      end
    RUBY
  end
end

def tree(depth, n = depth)
  CLASSES[n % 24].new(depth.zero? ? [] : [tree(depth - 1, n * 5 + 1), tree(depth - 1, n * 7 + 2)])
end

TREE = tree(9)
NAMES = 24.times.map { |n| :"visit_#{n}" }
LEAVES = CLASSES.map { |of| of.new([]) }
LAMBDAS = 12.times.map { |n| eval("->(x) { x + #{n} }") }
LOOPS = 12.times.map { |n| eval("->(list) { sum = 0; list.each { |x| sum += x + #{n} }; sum }") }
LIST = [1, 2, 3, 4, 5]

def sends(visitor)
  2_000.times { |n| visitor.send(NAMES[n % 24], LEAVES[n % 24]) }
  visitor.seen
end

def all
  visited = Visitor.new.tap { |visitor| TREE.accept(visitor) }.seen
  called = 2_000.times.sum { |n| LAMBDAS[n % 12].(n) }
  visited + sends(Visitor.new) + called + 1_000.times.sum { |n| LOOPS[n % 12].(LIST) }
end

measure(2_087_370, rounds: 200) { all }
