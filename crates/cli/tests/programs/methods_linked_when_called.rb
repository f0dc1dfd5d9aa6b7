# The bodies of a file's methods are linked when they are called. Programs that inspect code cannot observe this.
require "tmpdir"
require "objspace"

Dir.mktmpdir do |folder|
  path = File.join(folder, "library.rb")
  File.write(path, <<~RUBY)
    module Library
      LIMIT = 3
      class << self
        def limits(first, *rest, last: LIMIT, **options, &block)
          outer = [first, *rest, last, options]
          outer.map { |v| block ? block.call(v) : v }
        end
      end

      def self.shown(text = "none") = text =~ /(\\w+)/ && $1.upcase

      def never(a, b = 2)
        inner = ->(c) { a + b + c }
        def nested
          __method__
        end
        inner
      end

      def failing(list)
        list.map do |v|
          raise ArgumentError, "bad \#{v}"
        end
      end

      def visited
        x = 1
        x + 1
      end
      alias again visited
      module_function :visited
    end
  RUBY
  require path
  include Library

  p Library.method(:limits).parameters, Library.instance_method(:never).parameters, Library.method(:limits).arity
  p Library.instance_method(:never).source_location[1], Library.method(:shown).owner

  # Code that is inspected before the first call.
  code = RubyVM::InstructionSequence.of(Library.instance_method(:never))
  children = []
  code.each_child { |child| children << child.label }
  p code.label, code.first_lineno, children, code.trace_points.first, code.disasm.include?("nested")
  p never(1).call(3), nested

  # Tracing before the first call: of this method alone, then of all code.
  lines = []
  TracePoint.new(:line) { |point| lines << point.lineno }.enable(target: Library.method(:visited)) { visited }
  p lines.map { |line| line - lines[0] }
  calls = []
  TracePoint.new(:call) { |point| calls << point.method_id }.enable { again; Library.shown("a b") }
  p calls
  p Library.limits(1, 2, x: 5) { |v| v.inspect }, Library.shown, visited

  begin
    failing([7])
  rescue ArgumentError => error
    puts error.message, error.backtrace_locations.first(3).map { |place| "#{place.lineno} #{place.base_label}" }
  end

  # A pattern that is refused is an error of the file, although its method is never called.
  File.write(path, "def a(x)\n  y = x.to_s\n  y = y.strip\n  y =~ /[b-a]/\nend\n")
  begin
    load path
  rescue SyntaxError => error
    puts error.message[/empty range in char class/]
  end

  # The text of a file is read again when it is asked for.
  File.write(path, "def asked(v)\n  w = v\n  w.foo(1)\nend\n")
  load path
  begin
    asked(nil)
  rescue NoMethodError => error
    puts error.detailed_message.lines.last(2)
  end
  File.write(path, "# changed\n")
  begin
    asked(nil)
  rescue NoMethodError => error
    puts error.detailed_message
  end
end
