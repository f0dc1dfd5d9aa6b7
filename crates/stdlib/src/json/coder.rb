module JSON
  # JSON text that is inserted unchanged.
  Fragment = Struct.new(:json) do
    def initialize(json)
      string = String.try_convert(json) or raise TypeError, " no implicit conversion of #{json.class} into String"
      super(string)
    end

    def to_json(_state = nil, *) = json
  end

  # A configuration of generating and parsing that ignores `to_json` methods added by programs.
  class Coder
    def initialize(options = nil, &as_json)
      options = options ? options.merge(strict: true) : { strict: true }
      options[:as_json] = as_json if as_json
      @state = State.new(options).freeze
      @parser_config = Ext::Parser::Config.new(ParserOptions.prepare(options)).freeze
    end

    def dump(object, io = nil) = @state.generate(object, io)
    alias_method :generate, :dump

    def load(source) = @parser_config.parse(source)
    alias_method :parse, :load

    def load_file(path) = load(File.read(path, encoding: Encoding::UTF_8))
  end
end
