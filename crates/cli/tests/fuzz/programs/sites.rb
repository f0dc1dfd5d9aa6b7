# The part of random programs that is about call sites: sites that see many classes, blocks that methods pass on,
# splats behind arguments, operators on objects whose shapes come late, redefinitions in the middle.

module Sites
  BLOCKS = ["{ |p| p }", "{ |p, q = 2| [p, q].first }", "{ |p| next 3 if p == 1; p }", "{ |p| break p if p; 5 }",
            "{ 2.5 }", "{ |*p| p.length }", "{ |p| raise ArgumentError, \"b\" if p.nil?; p }"]
  PASSED = ["&:to_s", "&:itself", "&LAMBDA", "&PROC", "&METHOD", "&nil"]

  private

  def many_classes
    block("class Many") do
      line "attr_accessor :x, :y"
      block("def initialize(n)") do
        line "n.times { |i| instance_variable_set(\"@v\#{i}\", i) }"
        line "@x = n"
        line "@y = n * 0.5"
      end
      line "def part = @x"
      line "def twice(n = 2) = part + n"
      line "def [](n) = n.is_a?(Integer) ? n + @x : @x"
      line "def []=(n, v)\n    @y = v\n  end"
      line "def +(other) = other.is_a?(Many) ? @x + other.x : @x"
      line "def ==(other) = other.is_a?(Many) && @x == other.x"
      line "def <=>(other) = other.is_a?(Many) ? @x <=> other.x : nil"
      line "def grow(n) = instance_variable_set(\"@w\#{n}\", n)"
      line "def list = [@x, *@list]"
      line "def each_part(&given) = given ? yield(@x) : 4"
      line "def take(a, *rest, k: 1, &given) = given ? given.call(a) : [a, rest, k].length"
      line "private def own = @x"
      line "protected def near = @y"
      line "def ask(other) = [own, other.near].length"
    end
    count = 5 + roll(4)
    count.times { |i| subclass(i) }
    line "MANY = [#{Array.new(count) { |i| "Many#{i}.new(#{roll(count)})" }.join(", ")}, Many.new(3)]"
    line "LAMBDA = ->(v) { v }"
    line "PROC = proc { |v, w| w || v }"
    line "def taken(v) = v"
    line "METHOD = method(:taken)"
    line "def turn = MANY[$turn = (($turn || 0) + 1) % MANY.length]"
  end

  def subclass(number)
    block("class Many#{number} < #{roll(4) == 0 && number > 0 ? "Many#{roll(number)}" : "Many"}") do
      own = ["def part = @y", "def twice(n = 1) = super", "def each_part(&given) = super(&given)",
             "def each_part = block_given? ? yield(@y, 1) : 0", "def take(a, *rest, &given) = super(a, *rest, &given)",
             "def take(...) = super", "define_method(:part) { @x }",
             "define_method(:take) { |a, *r, &b| super(a, *r, &b) }", "def [](n) = n", "def +(other) = 1",
             "attr_reader :part", "private def twice(n = 2) = 0", "undef_method :list if method_defined?(:list)",
             "def method_missing(name, *given) = name == :list ? 5 : super", "def own = 1",
             "prepend Module.new { def part = super }"]
      own.sample(1 + roll(3), random: @random).each { |text| line text }
    end
  end

  # Methods whose sites see all of these classes, and methods that pass their blocks on.
  def sites
    @sites = 3 + roll(3)
    @sites.times do |index|
      block("def s#{index}(o, v = nil, &given)") do
        line "r = []"
        (2 + roll(4)).times { line "r << #{safe(on_object("o", %w[v 1 2.5 nil], "&given"))}" }
        line "r.length > 90 ? r.length : r.#{pick(%w[first last length inspect.length])}"
      end
    end
    @passers = 3 + roll(4)
    @passers.times { |index| passer(index) }
  end

  def passer(index)
    inner = index == 0 ? nil : "b#{roll(index)}"
    parameters = pick(["v, *more, &given", "v, w = 1, &given", "v, *more, k: 2, &given",
                      "v, *more, &", "v, *more, **k, &given"])
    rest = parameters.include?("*more") ? pick(["", ", *more"]) : ""
    given = parameters.end_with?("&") ? "&" : "&given"
    block("def b#{index}(#{parameters})") do
      line pick(["c = 0", "c = v", "c = block_given? ? 1 : 2"])
      if given == "&given" && roll(4) == 0
        line pick(["given.call(1) if given", "c = binding.local_variables.length", "given = LAMBDA if v == 7",
                   "kept = given", "c = -> { given.class.name.length }.call"])
      end
      (1 + roll(2)).times do
        target = inner ? "#{inner}(#{pick(%w[v c 1 2.5])}#{rest}, #{given})" : pick(yielding(given))
        line pick(["c = #{target}", "c = #{target}", "begin; c = #{target}; ensure; v = 1; end",
                   "[1, 2].each { |e| c = #{target} }", "i = 0; while i < 2; i += 1; c = #{target}; end"])
        line "c = #{send_to(inner, rest, given)}" if inner && roll(3) == 0
        line "c = turn.take(#{pick(%w[v c])}#{rest}, #{given})" if roll(3) == 0
        line "c = turn.each_part(#{given})" if roll(3) == 0
      end
      line "c"
    end
  end

  def yielding(given)
    list = ["block_given? ? yield(v) : 3", "block_given? ? yield(v, c) : nil", "[v, 2].map(#{given}).length",
            "turn.each_part(#{given})", "3.then(#{given}).class.name.length"]
    given == "&" ? list : list + ["given ? given.call(v) : c", "given&.call(c)"]
  end

  def send_to(inner, rest, given)
    pick(["send(:#{inner}, v#{rest}, #{given})", "__send__(:#{inner}, c, #{given})",
          "method(:#{inner}).call(v, #{given})"])
  end

  # An expression on an object of any class.
  def on_object(name, values, given)
    value = pick(values)
    pick(["#{name}.part", "#{name}.x", "#{name}.twice", "#{name}.twice(1)", "#{name}[#{value}]", "(#{name} + #{value})",
          "(#{name} + turn)", "(#{name} == turn)", "(#{name} != turn)", "(#{name} <=> turn)", "(#{name}.y = #{value})",
          "(#{name}[1] = #{value})", "#{name}.list", "#{name}.is_a?(Many1)", "#{name}.instance_of?(Many2)",
          "(Many === #{name})",
          "#{name}.respond_to?(:list)", "#{name}.respond_to?(:own)", "#{name}.send(:part)", "#{name}.send(:own)",
          "#{name}.own", "#{name}.near", "#{name}.ask(turn)", "#{name}&.part", "#{name}.take(#{value}, #{given})",
          "#{name}.each_part(#{given})", "#{name}.take(*[#{value}, 1], #{given})",
          "#{name}.take(1, *#{name}.list, #{given})",
          "#{name}.public_send(:twice, 2)", "#{name}.grow(#{roll(4)})", "#{name}.nil?",
          "#{name}.frozen?", "#{name}.class.name"])
  end

  # An error would often end the method.
  def safe(text) = roll(5) == 0 ? text : "(#{text} rescue $!.class.name.length)"

  def many
    name = fresh
    line "#{name} = turn"
    to = pick(@variables)
    given = pick(["&nil", *PASSED])
    site = "s#{roll(@sites)}"
    call = pick(["#{site}(#{name}, #{simple})", "#{site}(#{name}, #{simple}) #{given_block}",
                 "#{site}(turn, #{simple})",
                 "#{site}(#{name}, #{simple}, #{given})", on_object(name, @variables, given)])
    line "#{to} = #{safe(call)}"
    line "MANY.each { |o| #{to} = #{safe("#{site}(o, #{simple})")} }" if roll(3) == 0
    limit(to)
  end

  def passing
    to = pick(@variables)
    given = roll(3) == 0 ? ", #{pick(PASSED)})" : ") #{roll(4) == 0 ? "" : given_block}"
    more = pick(["", ", #{simple}", ", *[1, 2]", ", *#{pick(@variables)}"])
    line "#{to} = #{safe("b#{roll(@passers)}(#{simple}#{more}#{given}")}"
    limit(to)
  end

  def given_block
    return pick(BLOCKS) if roll(3) > 0
    jumps = ["next #{simple} if #{condition}", "#{pick(@variables)} = p"]
    # A method of a loop or block may be left, or it would be left too early to be of interest.
    jumps << "return #{simple} if #{condition}" unless @in_proc
    "{ |p| #{pick(jumps)}; #{simple} }"
  end

  def splat
    name, to = fresh, pick(@variables)
    line "#{name} = #{pick(["[#{simple}, #{simple}]", "[]", "nil", "1..3", "{a: 1}", simple, "[#{simple}].freeze"])}"
    line "#{to} = #{safe(pick(["[#{simple}, *#{name}]", "[#{simple}, #{simple}, *#{name}]", "[*#{name}, #{simple}]",
                          "[#{simple}, *#{name}, #{simple}]", "b#{roll(@passers)}(#{simple}, *#{name})",
                          "(#{name} = [0, *#{name}])", "turn.take(#{simple}, *#{name}) #{pick(BLOCKS)}"]))}"
    limit(to)
  end

  def natives
    name, to = fresh, pick(@variables)
    line "#{name} = #{pick(["[#{simple}]", "{#{simple} => 1, \"a\" => 2}", "\"a\#{#{simple}}\"", "turn", simple, "[]",
                            "{}.compare_by_identity", "Hash.new(#{simple})"])}"
    method = pick(["first", "last", "key?(#{simple})", "key?(\"a\")", "to_s", "to_a", "to_h", "to_str",
                   "instance_of?(String)", "is_a?(Comparable)", "is_a?(Hash)", "instance_of?(Array)",
                   "hash == #{name}.hash"])
    line "#{to} = #{safe("#{name}.#{method}")}"
    limit(to)
  end

  # Global variables, some of them with aliases and handlers, and what a method can ask about itself and an object.
  def asked
    to, asked = pick(@variables), pick(%w[@x @y @z @v1 @none])
    global = pick(%w[$one $two $three $alias])
    line pick(["#{global} = #{simple}", "#{to} = #{global}", "#{global} = #{global} == 1 ? 2.5 : 1",
               "#{to} = block_given?", "#{to} = [1].map { block_given? }.first",
               "#{to} = #{safe("#{pick(["MANY[turn % MANY.length]", pick(@variables)])}.frozen?")}",
               "#{to} = #{safe("MANY[turn % 3].instance_variable_get(:#{asked})")}",
               "#{to} = #{safe("MANY[turn % 3].instance_variable_defined?(:#{asked})")}",
               "#{to} = #{safe("MANY[turn % 3].instance_variable_set(:#{asked}, #{simple})")}"])
    limit(to)
  end

  def limit(name)
    line "#{name} = 3 if #{name}.respond_to?(:size) && #{name}.size > 90"
    line "#{name} = #{name}.length if #{name}.is_a?(Array) || #{name}.is_a?(String) && #{name}.length > 20"
    line "#{name} = 4 if #{name}.is_a?(Many)"
  end

  REDEFINITIONS = [
    "class Many; def part = @x + 1; end", "class Many1; def part = 1.5; end", "class Many2; private :part; end",
    "class Many0; undef_method :twice; end", "class Many; attr_reader :twice; end", "class Many; def [](n) = 9; end",
    "class Many3; prepend Module.new { def take(a, *r, **k, &b) = super(a, &b) }; end",
    "MANY[1].define_singleton_method(:part) { 77 }", "MANY[2].extend(Module.new { def x = super })",
    "class Many; define_method(:each_part) { |&b| b ? b.call(1, 2) : 6 }; end",
    "MANY.each_with_index { |o, n| o.grow(n % 3) rescue 0 }",
    "class Many; public :own; end", "class Many; private :take; end", "class Object; def part = 8; end",
    "class Array; def first = 7; end", "class Hash; def key?(k) = k; end", "class Many; def ==(o) = true; end",
    "module Kernel; def instance_of?(c) = 3; end", "class Many; def respond_to?(*) = true; end",
    "class Many; def is_a?(c) = super; end", "class String; def to_s = self; end", "MANY.reverse!", "MANY[0].freeze",
    "MANY << Class.new(Many).new(2)", "def b0(v, *more, **k, &given) = given ? given.call(v) : v",
    "class NilClass; def to_a = [5]; end", "GC.start", "class Many; remove_method :list; end",
    "class Many4; def list = [1]; end",
    "alias $alias $two", "alias $three $one", "trace_var(:$two) { |v| HANDLED << v.class }", "untrace_var(:$two)",
    "MANY[1].remove_instance_variable(:@x)", "MANY[2].instance_variable_set(:@none, 1)",
    "def taken(v) = 2", "class Many; def method_missing(n, *a, &b) = b ? b.call(1) : 1; end"
  ].freeze

  # Redefinitions at some turns of the main loop.
  def redefinitions
    [8, 17, 21, 25, 30].sample(1 + roll(4), random: @random).sort.each do |at|
      line "(#{pick(REDEFINITIONS)}) rescue 0 if i == #{at * @turns / 32}"
    end
  end
end
