require "prism"
require "prism/translation/ripper"

class Ripper
  # Converts prism's tree to Ripper's events, interleaved with the tokens of a Scan.
  class Tree < Prism::Translation::Ripper
    # Events that precede the tokens of their node, or occur for each part of a literal, and empty ones.
    EARLY = /\A(?:x?string|word|regexp)_(?:new|add)\z|\A(?:void_stmt|excessed_comma)\z/
    # Events of empty lists, which are delayed until their first element, and of the name of a call, delayed until after
    # the arguments.
    LATER = %i[args_new fcall mlhs_new mrhs_new stmts_new string_content word_new].freeze
    # Lists of words, which are created at their opening, and assignable nodes.
    WORDS = %i[qsymbols_new qwords_new symbols_new words_new].freeze
    FIELDS = %i[const_path_field top_const_field var_field].freeze
    # Events that the parser reduces without a lookahead token; for all others it has read one more token.
    CLOSED = %i[
      BEGIN END alias arg_ambiguous arg_paren array begin block_var blockarg brace_block case class do_block for hash
      heredoc_dedent if lambda magic_comment mlhs_paren module operator_ambiguous paren redo regexp_literal retry
      sclass string_embexpr string_literal symbol symbol_literal unless until while xstring_literal
    ].freeze
    # Events that need no lookahead token either if they end with a bracket or `end`.
    CLOSABLE = %i[call def defined defs method_add_arg super yield].freeze
    # Events that need no lookahead token if they have a name.
    NAMED = %i[kwrest_param rest_param].freeze
    # Events of bodies: the token after the following line ends tells the parser that the body is complete.
    BODIES = %i[bodystmt else elsif ensure in rescue when].freeze
    # Events of the names of classes and modules.
    NAMES = %i[on_const_path_ref on_const_ref on_top_const_ref].freeze
    # Kinds of warnings that are given without -w.
    WARNED = %i[indentation_mismatch void_statement].freeze
    private_constant :NAMES, :EARLY, :LATER, :WORDS, :FIELDS, :CLOSED, :CLOSABLE, :NAMED, :BODIES, :WARNED

    def initialize(target, scan, source, filename, first_line)
      super(source, filename, first_line)
      @target, @scan, @first_line, @start_offset, @end_offset = target, scan, first_line, 0, 0
    end

    # Whether the tree has a node for each part of the source, in spite of errors.
    def whole? = result.value.breadth_first_search { |node| Prism::MissingNode === node }.nil?

    def parse
      result.magic_comments.each { |comment| on_magic_comment(comment.key.tr("-", "_"), comment.value) }
      result.warnings.each { |warning| tell_warning(warning) }
      result.value.accept(self)
    end

    private

    def result = @result ||= Prism.parse(source, filepath: filename, line: @first_line)

    # The position of the next token: the line and column that the translation keeps are searched only if needed.
    def bounds(location)
      @start_offset = location.start_offset
      end_offset = location.end_offset
      @end_offset = @limit && @limit < end_offset ? @limit : end_offset
    end

    def tell_warning(warning)
      if warning.type == :ambiguous_binary_operator && /\A'(.+?)' after .* seems like (.+)\z/ =~ warning.message
        return on_operator_ambiguous($1.to_sym, $2)
      end
      sign = { ambiguous_first_argument_plus: "+", ambiguous_first_argument_minus: "-",
        ambiguous_slash: "/" }[warning.type]
      return on_arg_ambiguous(sign) if sign
      # Ripper does not know the variables of a whole scope.
      return if warning.type == :unused_local_variable || warning.type == :indentation_mismatch && !$VERBOSE
      kind = warning.level == :default || WARNED.include?(warning.type) ? :warn : :warning
      @target.__send__(kind, *format_of(warning))
    end

    # The message as a format and its arguments.
    def format_of(warning)
      text = warning.message
      case warning.type
      when :ambiguous_prefix_ampersand, :ambiguous_prefix_star, :ambiguous_prefix_star_star
        ["'#{text[/`(.+)`/, 1]}' interpreted as argument prefix"]
      when :duplicated_hash_key
        ["key %+li\v is duplicated and overwritten on line %d", literal_at(warning.location), text[/\d+\z/].to_i]
      when :duplicated_when_clause
        ["'when' clause on line %d duplicates 'when' clause on line %d and is ignored", *text.scan(/\d+/).map(&:to_i)]
      when :ignored_frozen_string_literal, :invalid_shareable_constant_value
        name = text[/\A'(.+)' is ignored after any tokens\z/, 1]
        name ? ["'%s' is ignored after any tokens", name] : [text]
      when :indentation_mismatch
        text =~ /'(.+)' with '(.+)' at (\d+)\z/
        ["mismatched indentations at '%s' with '%s' at %d", $1, $2, $3.to_i]
      when :invalid_magic_comment_value
        text =~ /\Ainvalid value for (.+): (.*)\z/m
        ["invalid value for %s: %s", $1, $2]
      when :void_statement
        ["possibly useless use of %s in void context", text[/use of (.+) in void/, 1]]
      else
        [text]
      end
    end

    # The value of a key.
    def literal_at(location)
      key = result.value.breadth_first_search do |node|
        node.location.start_offset == location.start_offset && node.location.end_offset == location.end_offset
      end
      case key
      when Prism::SymbolNode then key.unescaped.to_sym
      when Prism::StringNode, Prism::SourceFileNode then key.respond_to?(:unescaped) ? key.unescaped : key.filepath
      when Prism::IntegerNode, Prism::FloatNode, Prism::RationalNode, Prism::ImaginaryNode then key.value
      when Prism::TrueNode then true
      when Prism::FalseNode then false
      when Prism::RegularExpressionNode then Regexp.new(key.unescaped, key.options)
      end
    end

    # The result of an event method. The translation treats nil as "no node", but a program's result may be nil.
    Given = Struct.new(:value) do
      def any? = true
    end

    # An empty list, a text or the name of a call: reported after the node that it belongs to, as CRuby's parser does.
    Later = Struct.new(:target, :event, :arguments, :reported, :value) do
      def any? = true

      def tell
        self.value = target.__send__(event, *arguments) unless reported
        self.reported = true
        value
      end
    end
    private_constant :Given, :Later

    # A block that is visited after its call was reported.
    Block = Struct.new(:node)
    private_constant :Block

    def visit_call_node_arguments(arguments, block, trailing_comma)
      given = block.is_a?(Prism::BlockArgumentNode) || !(arguments.nil? || arguments.arguments.empty?)
      own = block if block.is_a?(Prism::BlockNode)
      value, block = super(arguments, own ? nil : block, trailing_comma)
      @limit = own.opening_loc.start_offset if own
      [given && !value ? Given.new(value) : value, own ? Block.new(own) : block]
    end

    def on_method_add_block(call, block)
      @limit = nil
      block = visit(block.node) if Block === block
      @scan.advance_to(@end_offset)
      tell(:on_method_add_block, call, block)
    end

    def tell(event, *arguments)
      arguments = unwrapped(arguments)
      @previous = event
      Given.new(@target.__send__(event, *arguments))
    end

    # The arguments of an event without their wrappers; delayed events among them are reported now.
    def unwrapped(arguments)
      arguments.map do |argument|
        case argument
        when Given then argument.value
        when Later then argument.tell
        when Array then unwrapped(argument)
        else argument
        end
      end
    end

    LATER.each do |event|
      define_method(:"on_#{event}") { |*arguments| @later = Later.new(@target, :"on_#{event}", unwrapped(arguments)) }
    end

    def on_void_stmt
      # The parser recognizes this construct by the next token; a line end before a class's body is such a token, other
      # line ends belong to the preceding node.
      @scan.advance_one unless @scan.at_line_end? && NAMES.include?(@previous)
      @later&.tell
      @void = tell(:on_void_stmt)
    end

    def visit_alias_global_variable_node_value(node)
      return super unless Prism::NumberedReferenceReadNode === node
      bounds(node.location)
      on_backref(node.slice)
    end

    def on_var_alias(to, from)
      @end_offset = @scan.closing(@end_offset)
      @scan.advance_to(@end_offset)
      message = @scan.refusal(:on_alias_error)
      message ? tell(:on_alias_error, message, from) : tell(:on_var_alias, to, from)
    end

    def on_dyna_symbol(content)
      @scan.advance_to(@end_offset)
      @scan.advance_to_closing
      tell(:on_dyna_symbol, content)
    end

    def on_stmts_add(list, statement)
      @scan.look_beyond(@end_offset) unless statement.equal?(@void)
      tell(:on_stmts_add, list, statement)
    end

    others = ::Ripper::PARSER_EVENT_TABLE.keys - LATER - %i[dyna_symbol method_add_block stmts_add var_alias void_stmt]
    others.each do |event|
      name = :"on_#{event}"
      if EARLY.match?(event)
        define_method(name) { |*arguments| tell(name, *arguments) }
      elsif event == :program
        define_method(name) do |statements|
          @scan.rest
          tell(name, statements).value
        end
      elsif CLOSED.include?(event)
        define_method(name) do |*arguments|
          @end_offset = @scan.closing(@end_offset)
          @scan.advance_to(@end_offset)
          tell(name, *arguments)
        end
      elsif WORDS.include?(event)
        define_method(name) do
          @scan.advance_one
          tell(name)
        end
      elsif FIELDS.include?(event)
        define_method(name) do |*arguments|
          @scan.look_beyond(@end_offset)
          field = tell(name, *arguments)
          message = @scan.refusal(:on_assign_error)
          message ? tell(:on_assign_error, message, field) : field
        end
      elsif event == :params
        define_method(name) do |*arguments|
          # Without arguments the translation uses the position of all possible ones.
          arguments.any? ? @scan.look_beyond(@end_offset) : @scan.look_into_parenthesis
          tell(name, *arguments)
        end
      elsif BODIES.include?(event)
        define_method(name) do |*arguments|
          @scan.look_beyond_lines
          tell(name, *arguments)
        end
      else
        define_method(name) do |*arguments|
          closed = @scan.advance_to(@end_offset) && CLOSABLE.include?(event) || arguments[0] && NAMED.include?(event)
          @scan.look_beyond(@end_offset) unless closed
          tell(name, *arguments)
        end
      end
    end

    ::Ripper::SCANNER_EVENT_TABLE.each_key do |event|
      name = :"on_#{event}"
      define_method(name) { |token| Given.new(@scan.value(@start_offset, name, token)) }
    end

    def dedent_string(string, width) = @target.__send__(:dedent_string, string, width)
  end
  private_constant :Tree
end
