# A binary tree with Enumerable: insertion, traversal, search.
class Tree
  include Enumerable
  Node = Struct.new(:value, :left, :right)
  def <<(value)
    return (@root = Node.new(value); self) unless @root
    node = @root
    while node
      return self if node.value == value
      parent, side = node, value < node.value ? :left : :right
      node = node[side]
    end
    parent[side] = Node.new(value)
    self
  end

  def each(&block)
    return enum_for(:each) unless block
    walk(@root, &block)
  end

  private def walk(node, &block)
    return unless node
    walk(node.left, &block)
    yield node.value
    walk(node.right, &block)
  end
end
random = Random.new(9)
tree = Tree.new
40_000.times { tree << random.rand(100_000) }
puts tree.count, tree.first(3).inspect, tree.select(&:even?).size, tree.each_slice(100).map(&:sum).max,
     tree.include?(77),
     tree.each_with_index.max_by { |v, i| v - 2 * i }.inspect, tree.reduce(:+), tree.minmax.inspect,
         tree.each.with_index(1).first.inspect
