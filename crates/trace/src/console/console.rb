# The console that Binding#irb starts if the irb library cannot be loaded.
module Beni
  class Console
    LINES_AROUND = 5
    HISTORY_SIZE = 1000
    LEAVING = /\A\s*(?:exit|quit)\s*(?:\(.*\))?\s*\z/
    HELP = <<~TEXT
      Ruby is evaluated where the program stopped; local variables stay in its binding.
        exit, quit   go on with the program
        exit!        end the process
        whereami     show the place again
        help         this text
    TEXT
    KEYWORDS = %w[
      BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil
      not or redo rescue retry return self super then true undef unless until when while yield __FILE__ __LINE__
      __method__
    ].freeze

    def self.start(binding, show_code)
      new(binding).run(show_code)
    end

    def initialize(binding)
      @binding = binding
      @line = 1
      @terminal = $stdin.tty? && $stdout.tty?
      @history = @terminal ? load_history : []
    end

    def run(show_code)
      show_place if show_code
      while (source = read)
        @line += source.count("\n")
        next if source.strip.empty?
        break if LEAVING.match?(source)

        perform(source)
      end
      save_history if @terminal
      nil
    end

    private

    # One complete input, or nil at the end.
    def read
      $stdout.flush
      @terminal ? read_from_terminal : read_plainly
    end

    def read_from_terminal
      source = read_line(@binding, prompt, @history)
      if source.nil?
        puts
        return nil
      end
      if source == :interrupted
        puts "^C"
        return ""
      end
      remember(source)
      "#{source}\n"
    end

    # Echoes the input, as if it were typed.
    def read_plainly
      source = +""
      while (line = $stdin.gets)
        puts line
        source << line
        return source unless incomplete?(@binding, source)
      end
      puts if source.empty?
      source.empty? ? nil : source
    end

    def prompt
      name = @binding.receiver.to_s.tr("\x00-\x1f", " ")
      name = "#{name[0, 29]}..." if name.size > 32
      format("irb(%s):%03d> ", name, @line)
    end

    def perform(source)
      case source.strip
      when "whereami" then return show_place
      when "help" then return puts(HELP)
      end
      value = @binding.eval(source, "(irb)", @line - source.count("\n"))
      @binding.local_variable_set(:_, value)
      puts "#{"=> " if @terminal}#{value.inspect}"
    rescue SystemExit, SignalException => error
      raise unless error.is_a?(Interrupt)
      puts "^C"
    rescue Exception => error
      report(error)
    end

    # Prints the error with its backtrace up to the console.
    def report(error)
      trace = error.backtrace || []
      trace = trace.take_while { |line| !line.end_with?("in 'Binding#eval'") }
      message = error.detailed_message(highlight: false)
      return puts(message) if trace.empty?

      puts "#{trace.first}: #{message}", trace.drop(1).map { |line| "\tfrom #{line}" }
    end

    # The lines around the position, with an arrow.
    def show_place
      file, line = @binding.source_location
      lines = source_lines(file)
      return unless lines && line.between?(1, lines.size)

      at = line - 1
      first = [at - LINES_AROUND, 0].max
      last = [at + LINES_AROUND, lines.size - 1].min
      width = last.to_s.size
      puts "\nFrom: #{file} @ line #{line} :\n\n"
      first.upto(last) { |i| puts format(" %2s %#{width}d: %s", i == at ? "=>" : "", i + 1, lines[i].chomp) }
      puts
    end

    def source_lines(file)
      return File.readlines(file) if File.file?(file)

      ObjectSpace.each_iseq { |iseq| return iseq.script_lines if iseq.path == file && iseq.script_lines }
      nil
    end

    def history_file
      home = ENV["HOME"]
      home && File.join(home, ".irb_history")
    end

    # Entries of several lines have a backslash at the end of all but the last, as irb writes them.
    def load_history
      file = history_file
      return [] unless file && File.file?(file)

      entries = []
      open = false
      File.foreach(file, chomp: true) do |line|
        continues = line.end_with?("\\")
        line = line.delete_suffix("\\")
        open ? entries[-1] = "#{entries[-1]}\n#{line}" : entries << line
        open = continues
      end
      entries.last(HISTORY_SIZE)
    rescue SystemCallError
      []
    end

    def save_history
      file = history_file
      return unless file

      File.write(file, @history.last(HISTORY_SIZE).map { |entry| "#{entry.gsub("\n", "\\\n")}\n" }.join)
    rescue SystemCallError
      nil
    end

    def remember(source)
      @history << source unless source.strip.empty? || source == @history.last
    end

    # Completions for the end of `text`: the number of bytes to replace, and the candidates.
    def complete(text)
      case text
      when /((?:[A-Z]\w*::)*[A-Z]\w*)::(\w*)\z/ then matching($2, constants_of($1))
      when /([@$\w:]+|["'\])}\/])(?:&?\.)(\w*[?!]?)\z/ then matching($2, methods_of($1))
      when /(?<!:):(\w*)\z/ then matching($1, Symbol.all_symbols.map(&:name))
      when /(\$\w*)\z/ then matching($1, global_variables.map(&:name))
      when /(@@?\w*)\z/ then matching($1, @binding.eval("instance_variables").map(&:name))
      when /(\w+)\z/ then matching($1, names)
      else [0, []]
      end
    end

    def matching(prefix, names)
      [prefix.bytesize, names.select { |name| name.start_with?(prefix) }.uniq.sort]
    end

    def constants_of(path)
      scope = @binding.eval(path)
      scope.is_a?(Module) ? (scope.constants + scope.methods(false)).map(&:name) : []
    end

    # Only a variable, a constant or the end of a literal identifies an object without calling a method.
    def methods_of(receiver)
      case receiver
      when /\A["']\z/ then String.instance_methods.map(&:name)
      when "]" then Array.instance_methods.map(&:name)
      when "}" then (Hash.instance_methods | Proc.instance_methods).map(&:name)
      when "/" then Regexp.instance_methods.map(&:name)
      when /\A\d+\z/ then Integer.instance_methods.map(&:name)
      when /\A:\w+\z/ then Symbol.instance_methods.map(&:name)
      when "self", /\A[@$A-Z]/ then @binding.eval(receiver).methods.map(&:name)
      when /\A[a-z_]\w*\z/
        @binding.local_variable_defined?(receiver) ? @binding.local_variable_get(receiver).methods.map(&:name) : []
      else []
      end
    end

    def names
      me = @binding.receiver
      @binding.local_variables.map(&:name) + me.methods.map(&:name) + me.private_methods.map(&:name) +
        Object.constants.map(&:name) + KEYWORDS
    end
  end
end
