module JSON
  autoload :GenericObject, "json/generic_object"

  NaN = Float::NAN
  Infinity = Float::INFINITY
  MinusInfinity = -Infinity

  class JSONError < StandardError; end

  class ParserError < JSONError
    attr_reader :line, :column
  end

  class NestingError < ParserError; end

  class GeneratorError < JSONError
    attr_reader :invalid_object

    def initialize(message, invalid_object = nil)
      super(message)
      @invalid_object = invalid_object
    end

    def detailed_message(...)
      @invalid_object.nil? ? super : "#{super}\nInvalid object: #{@invalid_object.inspect}"
    end
  end

  PRETTY = { indent: "  ", space: " ", object_nl: "\n", array_nl: "\n" }.freeze
  WITHOUT_BOUNDS = { max_nesting: false, allow_nan: true }.freeze
  private_constant :PRETTY, :WITHOUT_BOUNDS

  class << self
    attr_reader :parser, :generator
    attr_accessor :state

    def deprecation_warning(message, _uplevel = 3)
      warn(message, uplevel: 0, category: :deprecated)
    end

    def [](object, options = nil)
      text = String.try_convert(object)
      text ? JSON.parse(text, options) : JSON.generate(object, options)
    end

    def parser=(parser)
      @parser = parser
      remove_const(:Parser) if const_defined?(:Parser, false)
      const_set(:Parser, parser)
    end

    def generator=(generator)
      verbose, $VERBOSE = $VERBOSE, nil
      @generator = generator
      methods = generator::GeneratorMethods
      methods.constants.each do |name|
        const_get(name).class_eval do
          remove_method(:to_json) if method_defined?(:to_json, false)
          include methods.const_get(name)
        end
      end
      self.state = generator::State
      const_set(:State, state)
    ensure
      $VERBOSE = verbose
    end

    def create_id = Thread.current[:"JSON.create_id"] || "json_class"

    def create_id=(name)
      Thread.current[:"JSON.create_id"] = name.dup.freeze
    end

    private

    # Called when a Symbol and a String key have the same text.
    def on_mixed_keys_hash(hash, refuse)
      seen = {}
      hash.each_key do |key|
        name = key.to_s
        next seen[name] = true unless seen[name]
        message = "detected duplicate key #{name.inspect} in #{hash.inspect}"
        raise GeneratorError, message if refuse
        deprecation_warning("#{message}.\nThis will raise an error in json 3.0 unless enabled via `allow_duplicate_key: true`")
      end
    end

    # The source as a String, or read from an object with `read`.
    def text_of(source, options)
      if !(String === source)
        if source.respond_to?(:to_str)
          source = source.to_str
        elsif source.respond_to?(:to_io)
          source = source.to_io.read
        elsif source.respond_to?(:read)
          source = source.read
        end
      end
      options[:allow_blank] && (source.nil? || source.empty?) ? "null" : source
    end

    def load_by(defaults, source, proc, options)
      if options
        options = defaults.merge(options)
      elsif Hash === proc
        options, proc = yield ? defaults.merge(proc) : proc, nil
      else
        options = defaults
      end
      source = text_of(source, options)
      options = options.merge(on_load: proc.to_proc) if proc
      parse(source, options)
    end
  end

  module_function

  def parse(source, options = nil)
    options = ParserOptions.prepare(options) unless options.nil?
    Parser.parse(source, options)
  end

  def parse!(source, options = nil)
    parse(source, options.nil? ? WITHOUT_BOUNDS : WITHOUT_BOUNDS.merge(options))
  end

  def load_file(path, options = nil) = parse(File.read(path, encoding: Encoding::UTF_8), options)

  def load_file!(path, options = nil) = parse!(File.read(path, encoding: Encoding::UTF_8), options)

  def load(source, proc = nil, options = nil)
    JSON.__send__(:load_by, JSON._load_default_options, source, proc, options) { true }
  end

  def unsafe_load(source, proc = nil, options = nil)
    JSON.__send__(:load_by, JSON._unsafe_load_default_options, source, proc, options) { false }
  end

  def generate(object, options = nil)
    options && State === options ? options.generate(object) : State.generate(object, options, nil)
  end

  def pretty_generate(object, options = nil)
    return State.__send__(:_generate_pretty, object) unless options
    return options.generate(object) if State === options
    unless Hash === options
      if options.respond_to?(:to_hash)
        options = options.to_hash
      elsif options.respond_to?(:to_h)
        options = options.to_h
      else
        raise TypeError, "can't convert #{options.class} into Hash"
      end
    end
    State.generate(object, PRETTY.merge(options), nil)
  end

  def dump(object, io = nil, limit = nil, options = nil)
    if options.nil?
      if limit.nil?
        io, options = nil, io if Hash === io
      elsif Hash === limit
        limit, options = nil, limit
      end
    end
    unless io.nil?
      if io.respond_to?(:to_io)
        io = io.to_io
      elsif limit.nil? && !io.respond_to?(:write)
        io, limit = nil, io
      end
    end
    all = JSON._dump_default_options
    all = all.merge(max_nesting: limit) if limit
    all = all.merge(options) if options
    begin
      State.generate(object, all, io)
    rescue NestingError
      raise ArgumentError, "exceed depth limit"
    end
  end
end
