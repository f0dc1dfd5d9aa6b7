# Breakpoints by line, by method, and on raise; see docs/breakpoints.md.
module Beni
  class Breakpoint
    # The data passed to a breakpoint's block.
    class Hit
      attr_reader :breakpoint, :event, :path, :lineno, :method_id, :receiver, :exception, :return_value, :binding,
        :number

      def initialize(breakpoint, tp, binding, number)
        @breakpoint = breakpoint
        @event = tp.event
        @path = tp.path
        @lineno = tp.lineno
        @method_id = tp.callee_id
        @receiver = tp.self
        @exception = tp.raised_exception if tp.event == :raise
        @arguments = tp.arguments if tp.event == :call || tp.event == :c_call
        @binding = binding
        @number = number
      end

      # The arguments of the call for a breakpoint on a method, otherwise nil.
      def arguments = @arguments

      def inspect = "#<Beni::Breakpoint::Hit #{@number} #{@event} #{@path}:#{@lineno}>"
    end

    @all = []

    class << self
      # All breakpoints in the order of creation.
      def all = @all.dup

      # Deletes all.
      def clear
        all.each(&:delete)
        nil
      end

      # Stops before a line is executed: `line("app.rb", 12)`, `line("app.rb:12")`, `line("lib/**/*.rb", 12)`.
      def line(file, line = nil, **options, &block)
        file = file.to_path if file.respond_to?(:to_path)
        if line.nil? && file.is_a?(String) && (at = file.rindex(":"))
          file, line = file[0, at], Integer(file[at + 1..], 10)
        end
        Kernel.raise ArgumentError, "a breakpoint needs a line" unless line.is_a?(Integer)
        Kernel.raise ArgumentError, "line out of range: #{line}" if line < 1

        AtLine.new(file, line, options, block)
      end

      # Stops when a method is called: `method("User#save")`, `method("User.find")`, a Method or an UnboundMethod. It
      # may be defined later.
      def method(name, **options, &block) = AtMethod.new(name, options, block)

      # Stops where an exception of one of the classes is raised.
      def raise(*classes, **options, &block)
        classes = [StandardError] if classes.empty?
        AtRaise.new(classes, options, block)
      end

      def added(breakpoint) = @all << breakpoint
      def removed(breakpoint) = @all.delete(breakpoint)
      private :new
    end

    # The number of times it was reached with a true condition, and the number of stops.
    attr_reader :hits, :stops

    def initialize(options, block)
      unknown = options.keys - %i[if skip every once thread]
      Kernel.raise ArgumentError, "unknown keyword: #{unknown.first.inspect}" unless unknown.empty?

      @condition = options[:if]
      @skip = count(options, :skip, 0)
      @every = count(options, :every, 1)
      @once = options[:once]
      @thread = options[:thread]
      @block = block
      @hits = @stops = 0
      @points = []
      @enabled = false
      Breakpoint.added(self)
      enable
    end

    def enabled? = @enabled

    # Whether it is set. A breakpoint waits while its file is not loaded or its method is not defined.
    def set? = !@points.empty?

    def enable
      return false if @enabled

      @enabled = true
      set
      true
    end

    def disable
      return false unless @enabled

      @enabled = false
      unset
      true
    end

    # Removes the breakpoint permanently.
    def delete
      disable
      Breakpoint.removed(self)
      nil
    end

    def inspect
      waiting = " waiting" if @enabled && !set?
      "#<#{self.class.name} #{location} #{@enabled ? "enabled" : "disabled"}#{waiting}>"
    end

    private

    def count(options, name, least)
      number = options.fetch(name, least)
      return number if number.is_a?(Integer) && number >= least

      Kernel.raise ArgumentError, "#{name}: must be an Integer of #{least} or more"
    end

    def unset
      points, @points = @points, []
      points.each(&:disable)
    end

    def point(*events, **where)
      tp = TracePoint.new(*events) { |t| reached(t) }
      tp.enable(target_thread: @thread, **where)
      @points << tp
    end

    # Called when a trace point fired: decides whether to stop.
    def reached(tp)
      return unless matches?(tp)

      hit = Hit.new(self, tp, tp.binding || binding, @hits + 1)
      return unless holds?(hit)

      @hits += 1
      return if @hits <= @skip || (@hits - @skip - 1) % @every != 0

      @stops += 1
      disable if @once
      @block ? @block.call(hit) : stop(hit)
    end

    def matches?(_) = true

    # A String is evaluated in the program's context, other objects are called with the hit. If a condition fails, the
    # breakpoint does not stop.
    def holds?(hit)
      case @condition
      when nil then true
      when String then hit.binding.eval(@condition, "(condition)", 1)
      else @condition.call(hit)
      end
    rescue StandardError => error
      warn "#{location}: the condition failed: #{error.message} (#{error.class})"
      false
    end

    def stop(hit)
      puts "Breakpoint #{location}, hit #{hit.number}"
      puts "#{hit.exception.class}: #{hit.exception.message}" if hit.exception
      hit.binding.irb
    end
  end

  # Stops at a line of a file, loaded or not.
  class Breakpoint::AtLine < Breakpoint
    attr_reader :path, :lineno

    public_class_method :new

    def initialize(path, lineno, options, block)
      @path = path
      @lineno = lineno
      super(options, block)
    end

    def location = "#{@path.is_a?(Regexp) ? @path.inspect : @path}:#{@lineno}"

    private

    def set
      set_in_loaded_code
      # Files that are loaded from now on, for the first time or again.
      @compiled = TracePoint.new(:script_compiled) do |tp|
        code = tp.instruction_sequence
        set_in([code]) if file?(code.path, code.absolute_path)
      end
      @compiled.enable
    end

    def unset
      @compiled&.disable
      @compiled = nil
      super
    end

    def set_in_loaded_code
      found = []
      ObjectSpace.each_iseq { |code| found << code if file?(code.path, code.absolute_path) }
      set_in(found) unless found.empty?
    end

    # Sets it on the first line with code at or after the wanted one, once per position, however deeply nested.
    def set_in(codes)
      inside = {}.compare_by_identity
      codes.each { |code| descend(code) { |inner| inside[inner] = true unless inner.equal?(code) } }
      codes = codes.reject { |code| inside[code] }
      lines = codes.flat_map { |code| lines_of(code) }
      line = lines.select { |n| n >= @lineno }.min
      return unless line

      codes.each do |code|
        point(:line, target: code, target_line: line) if lines_of(code).include?(line)
      end
    end

    def descend(code, &block)
      block.call(code)
      code.each_child { |child| descend(child, &block) }
    end

    def lines_of(code)
      lines = []
      descend(code) { |inner| inner.trace_points.each { |line, event| lines << line if event == :line } }
      lines
    end

    def file?(path, absolute)
      return @path === path || (absolute && @path === absolute) unless @path.is_a?(String)

      [path, absolute].compact.any? do |own|
        own == @path || own.end_with?("/#{@path.delete_prefix("./")}") ||
          File.fnmatch?(@path, own, File::FNM_PATHNAME | File::FNM_EXTGLOB) ||
          File.fnmatch?(File.expand_path(@path), own, File::FNM_PATHNAME | File::FNM_EXTGLOB)
      end
    end
  end

  # Stops where a method is entered.
  class Breakpoint::AtMethod < Breakpoint
    public_class_method :new

    def initialize(name, options, block)
      case name
      when Method, UnboundMethod then @method = name
      when String
        match = /\A([A-Z]\w*(?:::[A-Z]\w*)*)([#.])(.+)\z/.match(name) or
          Kernel.raise ArgumentError, "no name of a method: #{name.inspect} (as \"User#save\" or \"User.find\")"
        @scope, @kind, @name = match.captures
      else Kernel.raise TypeError, "wrong argument type #{name.class} (expected String, Method or UnboundMethod)"
      end
      super(options, block)
    end

    def location = @method ? "#{@method.owner}##{@method.name}" : "#{@scope}#{@kind}#{@name}"

    private

    def set
      set_on(@method || find)
      return if @method

      # The method may be defined or redefined later.
      @defined = TracePoint.new(:method_added) do |tp|
        next unless tp.callee_id.name == @name

        method = find
        if method && method.owner == tp.defined_class
          points, @points = @points, []
          points.each(&:disable)
          set_on(method)
        end
      end
      @defined.enable
    end

    def unset
      @defined&.disable
      @defined = nil
      super
    end

    def find
      return unless Object.const_defined?(@scope)

      scope = Object.const_get(@scope)
      return unless scope.is_a?(Module)
      return scope.respond_to?(@name, true) ? scope.method(@name).unbind : nil if @kind == "."

      scope.method_defined?(@name) || scope.private_method_defined?(@name) ? scope.instance_method(@name) : nil
    end

    def set_on(method)
      return unless method

      if RubyVM::InstructionSequence.of(method)
        @native = nil
        point(:call, target: method)
      else
        @native = [method.owner, method.name]
        point(:c_call)
      end
    end

    def matches?(tp) = @native.nil? || (tp.callee_id == @native[1] && tp.defined_class == @native[0])
  end

  # Stops where an exception is raised.
  class Breakpoint::AtRaise < Breakpoint
    public_class_method :new

    def initialize(classes, options, block)
      @path = options.delete(:path)
      @classes = classes
      super(options, block)
    end

    def location = "raise #{@classes.join(", ")}"

    private

    def set = point(:raise, path: @path)
    def matches?(tp) = @classes.any? { |wanted| wanted === tp.raised_exception }
  end
end
