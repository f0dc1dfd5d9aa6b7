require "prism"
require "prism/translation/ripper"

class Ripper
  # Prism's tree told as Ripper's events, between the tokens of a Scan.
  class Tree < Prism::Translation::Ripper
    # Events that come before the tokens of their node, or once for each of its parts.
    EARLY = /_new\z|_add\z|_add_\w+\z/
    private_constant :EARLY

    def initialize(target, scan, source, filename, first_line)
      super(source, filename, first_line)
      @target, @scan, @first_line, @end_offset = target, scan, first_line, 0
    end

    def parse
      result.magic_comments.each { |comment| on_magic_comment(comment.key.tr("-", "_"), comment.value) }
      result.warnings.each { |warning| tell_warning(warning) }
      result.value.accept(self)
    end

    private

    def result = @result ||= Prism.parse(source, filepath: filename, line: @first_line)

    def bounds(location)
      @end_offset = location.end_offset
      super
    end

    def tell_warning(warning)
      if warning.type == :ambiguous_binary_operator && /\A'(.+?)' after .* seems like (.+)\z/ =~ warning.message
        return on_operator_ambiguous($1.to_sym, $2)
      end
      sign = { ambiguous_first_argument_plus: "+", ambiguous_first_argument_minus: "-", ambiguous_slash: "/" }[warning.type]
      if sign
        on_arg_ambiguous(sign)
      else
        @target.__send__(warning.level == :default ? :warn : :warning, warning.message)
      end
    end

    # Arguments that were there, whatever a method made of them: the translation asks them whether they are any.
    Given = Struct.new(:value) do
      def any? = true
    end
    private_constant :Given

    def visit_call_node_arguments(arguments, block, trailing_comma)
      given = block.is_a?(Prism::BlockArgumentNode) || !(arguments.nil? || arguments.arguments.empty?)
      value, block = super
      [given ? Given.new(value) : value, block]
    end

    def told(arguments) = arguments.map! { |argument| Given === argument ? argument.value : argument }

    ::Ripper::PARSER_EVENT_TABLE.each do |event, arity|
      name = :"on_#{event}"
      if arity == 0 || EARLY.match?(event)
        define_method(name) { |*arguments| @target.__send__(name, *told(arguments)) }
      elsif event == :program
        define_method(name) do |statements|
          @scan.rest
          @target.__send__(name, statements)
        end
      else
        define_method(name) do |*arguments|
          @scan.advance_to(@end_offset)
          @target.__send__(name, *told(arguments))
        end
      end
    end

    ::Ripper::SCANNER_EVENT_TABLE.each_key do |event|
      name = :"on_#{event}"
      define_method(name) { |token| @scan.value(lineno, column, name, token) }
    end

    def dedent_string(string, width) = @target.__send__(:dedent_string, string, width)
  end
  private_constant :Tree
end
