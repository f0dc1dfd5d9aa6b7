# OpenSSL::Config: the format of openssl.cnf(5).
#
# shareable_constant_value: experimental_everything

module OpenSSL
  class ConfigError < OpenSSLError
  end

  class Config
    include Enumerable

    DEFAULT_CONFIG_FILE = "/usr/lib/ssl/openssl.cnf"

    class << self
      def parse(text)
        config = allocate
        config.__send__(:__fill, OpenSSL.__text(text))
      end

      def parse_config(io) = parse(io.respond_to?(:read) ? io.read : io).__sections
      alias_method :load, :new
    end

    def initialize(path = nil)
      __fill(path && File.read(path))
    rescue SystemCallError
      raise ConfigError, "system lib (calling fopen(#{path}, rb))"
    end

    def initialize_copy(other)
      @sections = other.__sections.each_value(&:freeze).freeze
      freeze
    end

    def [](section) = (@sections[OpenSSL.__text(section)] || {}).dup
    def sections = @sections.keys
    def __sections = @sections.transform_values(&:dup)

    def get_value(section, key)
      section, key = OpenSSL.__text(section), OpenSSL.__text(key)
      return ENV[key] if section == "ENV"
      @sections.dig(section, key) || @sections.dig("default", key)
    end

    def each
      return enum_for(:each) unless block_given?
      @sections.each { |section, pairs| pairs.each { |key, value| yield [section, key, value] } }
      self
    end

    def to_s = @sections.map { |section, pairs|
      "[ #{section} ]\n#{pairs.map { |key, value| "#{key}=#{value}\n" }.join}\n" }.join
    def inspect = "#<#{self.class} sections=#{sections.inspect}>"

    private

    # Replaces the contents by those of a text and freezes it.
    def __fill(text)
      @sections = text ? { "default" => {} } : {}
      @section = "default"
      __lines(text) if text
      remove_instance_variable(:@section)
      @sections.each_value { |pairs| pairs.each_value(&:freeze).freeze }.freeze
      freeze
    end

    def __lines(text)
      whole, number = +"", 0
      text.each_line(chomp: true) do |line|
        number += 1
        whole << line
        next whole.chop! if whole.match?(/(?:\A|[^\\])(?:\\\\)*\\\z/)
        __line(whole, number)
        whole = +""
      end
    end

    def __line(line, number)
      line = __without_comment(line).strip
      return if line.empty?
      if line.start_with?("[")
        name = line[/\A\[\s*(.*?)\s*\]/, 1] or raise ConfigError,
          "error in line #{number}: missing close square bracket"
        @section = name
        @sections[name] ||= {}
        return
      end
      if (path = line[/\A\.include(?:\s*=\s*|\s+)(.*)\z/, 1])
        return __include(path)
      end
      key, value = line.match(/\A([^\s=:]*(?:::?[^\s=:]+)*)\s*=\s*(.*)\z/m)&.captures
      raise ConfigError, "error in line #{number}: missing equal sign" if key.nil?
      section, key = key.include?("::") ? key.split("::", 2) : [@section, key]
      (@sections[section] ||= {})[key] = __expanded(value, section, number)
    end

    # The line without a comment; quoted and escaped characters do not start one.
    def __without_comment(line)
      line.gsub(/\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#.*/m) { |part| part.start_with?("#") ? "" : part }
    end

    # Missing files are ignored.
    def __include(path)
      path = path.strip.delete_prefix("\"").delete_suffix("\"")
      files = File.directory?(path) ? Dir.children(path).select { |name| name.match?(/\.(?:conf|cnf)\z/) }.sort
        .map { |name| File.join(path, name) } : [path]
      files.each { |file| __lines(File.read(file)) if File.file?(file) }
    end

    ESCAPES = { "n" => "\n", "r" => "\r", "t" => "\t", "b" => "\b" }.freeze
    PART = /\A(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>(?:[^'\\]|\\.)*)'|\\(?<escaped>.)|\$(?:\{(?<name>[^}]*)\}|\((?<name>[^)]*)\)|(?<name>\w+(?:::\w+)?))|[^"'\\$]+|.)/m
    private_constant :ESCAPES, :PART

    def __expanded(text, section, number)
      out, rest = +"", text
      until rest.empty?
        raise ConfigError, "error in line #{number}: no close brace" if rest.match?(/\A\$(?:\([^)]*|\{[^}]*)\z/)
        part = PART.match(rest)
        rest = part.post_match
        if (quoted = part[:double] || part[:single]) then out << quoted.gsub(/\\(.)/m) { $1 }
        elsif (escaped = part[:escaped]) then out << ESCAPES.fetch(escaped, escaped)
        elsif (name = part[:name]) then out << __variable(name, section, number)
        else out << part[0]
        end
      end
      out
    end

    def __variable(name, section, number)
      place, key = name.include?("::") ? name.split("::", 2) : [section, name]
      value = place == "ENV" ? ENV[key] : @sections.dig(place, key) || @sections.dig("default", key)
      value or raise ConfigError, "error in line #{number}: variable has no value"
    end
  end
end
