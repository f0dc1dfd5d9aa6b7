# Finds the node of a position in the tree that Prism.parse makes.
module RubyVM::AbstractSyntaxTree
  class << self
    # `__node_id(source, line, column, end_column) → integer or nil`: the node whose code has this position: for a call,
    # a path and the operator of an assignment that of its name, for other nodes that of the whole node, whose end is
    # the end of its first line if it has several. Without an end (-1): the definition of a method or block there.
    def __node_id(source, line, column, end_column)
      require "prism"
      tree = ::Prism.parse(source).value
      at = ->(location) { location.start_line == line && location.start_column == column }
      if end_column < 0
        found = __nodes(tree).reverse.find { |node| __defines?(node) && at.(node.location) }
        return found&.node_id
      end
      named = tree.breadth_first_search { |node| __names_of(node).any?(&at) }
      return __whole_path(named, tree).node_id if named
      line_end = source.lines[line - 1].to_s.chomp.bytesize
      ends = ->(location) { (location.end_line > line ? line_end : location.end_column) == end_column }
      # Nodes that consist of one other node have its position, too. A path is the target of an assignment here.
      nodes = __nodes(tree).select { |node| at.(node.location) && !node.is_a?(::Prism::ConstantPathNode) }
      place = nodes.rindex { |node| ends.(node.location) } || -1
      nodes[place]&.node_id
    end

    # All nodes of a tree, from the top down.
    private def __nodes(tree)
      nodes = [tree]
      nodes.each { |node| nodes.concat(node.compact_child_nodes) }
    end

    private def __defines?(node)
      node.is_a?(::Prism::DefNode) || node.is_a?(::Prism::LambdaNode) || node.is_a?(::Prism::BlockNode)
    end

    # A path of constants only is read at once, so that its node stands for the nodes in it.
    private def __whole_path(node, tree)
      return node unless node.is_a?(::Prism::ConstantPathNode)
      first = node
      first = first.parent while first.is_a?(::Prism::ConstantPathNode)
      return node if first && !first.is_a?(::Prism::ConstantReadNode)
      longer = ->(other) { other.is_a?(::Prism::ConstantPathNode) && other.parent.equal?(node) }
      while (whole = tree.breadth_first_search(&longer))
        owner = tree.breadth_first_search { |other| __assigned(other).equal?(whole) }
        return node if owner
        node = whole
      end
      node
    end

    # The path that a node assigns to or defines.
    private def __assigned(node)
      if node.respond_to?(:constant_path)
        node.constant_path
      elsif node.respond_to?(:target)
        node.target
      end
    end

    # The place of a call's name with its dot, or of the last name of a constant's path with its colons; for an
    # assignment with an operator also that of the operator.
    private def __names_of(node)
      names = []
      case node
      when ::Prism::ConstantPathNode
        name = node.delimiter_loc
      when ::Prism::IndexOperatorWriteNode, ::Prism::IndexAndWriteNode, ::Prism::IndexOrWriteNode
        name = node.opening_loc
      else
        if node.respond_to?(:message_loc)
          name, before = node.message_loc || node.location, node.call_operator_loc
        end
      end
      names << (before && before.start_line == name.start_line ? before : name) if name
      names << node.binary_operator_loc if node.respond_to?(:binary_operator_loc)
      names
    end
  end
end
