# Finds the node of a position in the tree that Prism.parse makes.
module RubyVM::AbstractSyntaxTree
  class << self
    # `__node_id(source, line, column, end_column) → integer or nil`: the node whose code has this position: for a call
    # and a path that of its name, for other nodes that of the whole node.
    def __node_id(source, line, column, end_column)
      require "prism"
      tree = ::Prism.parse(source).value
      at = ->(location) { location.start_line == line && location.start_column == column }
      found = tree.breadth_first_search { |node| __name_of(node)&.then(&at) }
      # Nodes that consist of one other node have its position, too.
      nodes = found ? [] : __nodes(tree).select { |node| at.(node.location) }
      found ||= nodes.rindex { |node| node.location.end_column == end_column }&.then { |place| nodes[place] }
      found ||= nodes.last
      found&.node_id
    end

    # All nodes of a tree, from the top down.
    private def __nodes(tree)
      nodes = [tree]
      nodes.each { |node| nodes.concat(node.compact_child_nodes) }
    end

    # The place of a call's name with its dot, or of the last name of a constant's path with its colons.
    private def __name_of(node)
      case node
      when ::Prism::ConstantPathNode
        name, before = node.name_loc, node.delimiter_loc
      when ::Prism::IndexOperatorWriteNode, ::Prism::IndexAndWriteNode, ::Prism::IndexOrWriteNode
        name = node.opening_loc
      else
        return unless node.respond_to?(:message_loc)
        name, before = node.message_loc || node.location, node.call_operator_loc
      end
      before && before.start_line == name.start_line ? before : name
    end
  end
end
