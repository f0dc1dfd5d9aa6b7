# `Prism.dump` in the format that the library's `Prism.load` reads: the parser's own is that of another version.

module Prism
  class << self
    def dump(source, **options) = Dumping.new(parse(source, **options)).text
    def dump_file(path, **options) = Dumping.new(parse_file(path, **options)).text
  end

  # Writes what Serialize::Loader reads.
  class Dumping
    ERROR_LEVELS = [:syntax, :argument, :load].freeze
    WARNING_LEVELS = [:default, :verbose].freeze

    def initialize(result)
      @result = result
      @names = {}
    end

    def text
      @out = "PRISM".b
      @out << VERSION.split(".").map(&:to_i).push(0).pack("C4")
      string(@result.encoding.name)
      line = @result.source.start_line
      number(line < 0 ? -2 * line - 1 : 2 * line)
      list(@result.source.offsets) { |offset| number(offset) }
      list(@result.comments) do |comment|
        number(EmbDocComment === comment ? 1 : 0)
        location(comment.location)
      end
      list(@result.magic_comments) do |comment|
        location(comment.key_loc)
        location(comment.value_loc)
      end
      optional(@result.data_loc) { |place| location(place) }
      list(@result.errors) { |error| diagnostic(error, ERROR_LEVELS) }
      list(@result.warnings) { |warning| diagnostic(warning, WARNING_LEVELS) }
      place = @out.bytesize
      @out << [0].pack("L")
      # The number of names is known behind the nodes.
      before = @out
      @out = "".b
      node(@result.value)
      nodes = @out
      @out = before
      number(@names.size)
      @out << nodes
      @out[place, 4] = [@out.bytesize].pack("L")
      names
      @out
    end

    private

    # The positions and lengths of the names, then the names.
    def names
      at = @out.bytesize + 8 * @names.size
      @names.each_key do |name|
        size = name.name.bytesize
        @out << [at | 1 << 31, size].pack("L2")
        at += size
      end
      @names.each_key { |name| @out << name.name.b }
    end

    def number(n)
      while n > 127
        @out << (n & 127 | 128)
        n >>= 7
      end
      @out << n
    end

    def string(text)
      number(text.bytesize)
      @out << text.b
    end

    def list(values)
      number(values.size)
      values.each { |value| yield value }
    end

    def optional(value)
      return @out << 0 if value.nil?
      @out << 1
      yield value
    end

    def location(place)
      number(place.start_offset)
      number(place.length)
    end

    def diagnostic(found, levels)
      number(diagnostics.index(found.type) || 0)
      string(found.message)
      location(found.location)
      @out << (levels.index(found.level) || 0)
    end

    def diagnostics = @diagnostics ||= Serialize.const_get(:Loader).const_get(:DIAGNOSTIC_TYPES)

    def name(value)
      number(value.nil? ? 0 : @names[value] ||= @names.size + 1)
    end

    # Other numbers, such as depths, are small.
    def whole?(node) = IntegerNode === node || RationalNode === node

    def integer(value)
      @out << (value < 0 ? 1 : 0)
      words = value.abs.digits(1 << 32)
      list(words) { |word| number(word) }
    end

    # The numbers of the kinds of nodes are in the order of their names.
    def kinds
      @@kinds ||= Prism.constants.grep(/.Node\z/).sort.each_with_index.to_h { |kind, i| [Prism.const_get(kind), i + 1] }
    end

    def node(node)
      @out << kinds.fetch(node.class)
      number(node.node_id)
      location(node.location)
      @out << [0].pack("L") if DefNode === node
      number(node.instance_variable_get(:@flags))
      Reflection.fields_for(node).each { |field| field(field, node) }
    end

    def field(field, node)
      return if Reflection::FlagsField === field
      value = node.public_send(field.name)
      case field
      when Reflection::NodeField then node(value)
      when Reflection::OptionalNodeField then value.nil? ? @out << 0 : node(value)
      when Reflection::NodeListField then list(value) { |child| node(child) }
      when Reflection::ConstantField, Reflection::OptionalConstantField then name(value)
      when Reflection::ConstantListField then list(value) { |constant| name(constant) }
      when Reflection::StringField
        @out << 2
        string(value)
      when Reflection::LocationField then location(value)
      when Reflection::OptionalLocationField then optional(value) { |place| location(place) }
      when Reflection::IntegerField then whole?(node) ? integer(value) : number(value)
      when Reflection::FloatField then @out << [value].pack("D")
      end
    end
  end
  private_constant :Dumping
end
