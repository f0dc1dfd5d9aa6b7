# Writes a random program: `programs.rb SEED [TURNS]`. It prints the same in every run: loops are bounded, errors are
# printed. What interpreter and compiler must agree on is in it: numbers of mixed types, blocks, procs, rescue and
# ensure, instance variables of objects of several shapes, methods that are redefined while they run, and many kinds of
# call sites (`programs/sites.rb`), objects that live for a few instructions (`programs/temporaries.rb`).

require_relative "programs/sites"
require_relative "programs/temporaries"

class Generator
  include Sites
  include Temporaries

  NUMBERS = %w[0 1 2 3 -1 -7 10 63 64 255 1.5 -0.5 0.0 2.0 1e3 1e18 4611686018427387903 -4611686018427387904 2**64]
  OPERATORS = %w[+ + + - - * * % / & | ^ << >>]
  COMPARISONS = %w[< <= > >= == != <=>]

  def initialize(seed, turns)
    @random = Random.new(seed)
    @turns = turns
    @out = []
    @depth = 0
    @names = 0
  end

  def program
    line "# Program of a random seed."
    classes
    many_classes
    temporary_classes
    sites
    @methods = 3 + roll(2)
    @methods.times { |i| method(i) }
    main
    @out.join("\n") + "\n"
  end

  private

  def roll(sides) = @random.rand(sides)
  def pick(list) = list[roll(list.length)]
  def line(text) = @out << ("  " * @depth + text)

  def block(first, last = "end")
    line first
    @depth += 1
    yield
    @depth -= 1
    line last
  end

  # Two classes with the same methods, whose instance variables are set in another order, and a subclass.
  def classes
    block("class Point") do
      line "attr_accessor :x, :y"
      block("def initialize(x, y)") { line "@x = x"; line "@y = y"; line "@z = nil" }
      block("def total") { line "@x + @y" }
      block("def step(n)") { line "@x += n"; line "@z = n if n.is_a?(Float)"; line "self" }
      block("def each_part") { line "yield @x"; line "yield @y"; line "@z ? yield(@z) : 0" }
      block("def ==(other)") { line "other.respond_to?(:total) && other.total == total" }
    end
    block("class Pair") do
      line "attr_accessor :x, :y"
      block("def initialize(x, y)") { line "@y = y"; line "@w = 1"; line "@x = x" }
      block("def total") { line "@w * @x - @y" }
      block("def step(n)") { line "@w = @w == 1 ? 2 : 1"; line "@y = n"; line "self" }
      block("def each_part") { line "yield @y, @x" }
    end
    block("class Deep < Point") { block("def total") { line "super + #{pick(NUMBERS)}" } }
  end

  def method(index)
    @index = index
    @variables = %w[a b c]
    @blocks = @loops = 0
    @in_proc = false
    yields = roll(3) == 0
    @yields = yields
    @own_block = yields
    parameters = pick(["a, b, c", "a, b, c = 2", "a, b, c: 3", "a, b, *c", "a, b, c = a"])
    @keywords = parameters.include?("c:")
    (@kinds ||= [])[index] = [@keywords, yields, parameters == "a, b, c"]
    block("def m#{index}(#{parameters})") do
      line "c = c.length if c.is_a?(Array)" if parameters.include?("*c")
      (3 + roll(4)).times { statement(3) }
      line "[#{@variables.sample(3, random: @random).join(", ")}]#{pick(["", ".first", ".length", ".last"])}"
    end
  end

  def fresh
    @names += 1
    "v#{@names}"
  end

  def statement(room)
    return assign if room == 0
    case roll(38)
    when 0..5 then assign
    when 6..7 then branch(room)
    when 8..9 then counted(room)
    when 10..12 then with_block(room)
    when 13 then rescued(room)
    when 14 then procs(room)
    when 15 then object
    when 16 then array
    when 17 then string
    when 18 then @loops > 0 || @blocks > 0 ? jump : assign
    when 19 then call
    when 20 then choice(room)
    when 21..22 then many
    when 23..25 then passing
    when 26 then splat
    when 27 then natives
    when 28..29 then asked
    when 30..31 then matched(room)
    when 32..36 then temporary(room)
    else multiple
    end
  end

  def scope
    before = @variables.dup
    yield
    @variables = before
  end

  def body(room)
    scope { (1 + roll(3)).times { statement(room - 1) } }
  end

  def assign
    value = expression(2)
    if roll(3) == 0
      name = pick(@variables)
      line "#{name} #{pick(%w[+= -= *= ||= &&=])} #{value}"
    else
      name = roll(3) == 0 ? fresh : pick(@variables)
      line "#{name} = #{value}"
      @variables |= [name]
    end
    # Arrays, Strings and Integers that double in a loop would take all time.
    line "#{name} = 3 if #{name}.respond_to?(:size) && #{name}.size > 90" if @out.last.match?(/[*+]/)
  end

  def multiple
    first, second = pick(@variables), pick(@variables)
    line "#{first}, #{second} = #{expression(1)}, #{expression(1)}"
  end

  def branch(room)
    block("#{pick(%w[if unless])} #{condition}") do
      body(room)
      if roll(2) == 0
        @depth -= 1
        line "else"
        @depth += 1
        body(room)
      end
    end
  end

  def choice(room)
    line "case #{pick(@variables)}"
    patterns = ["Integer", "Float", "0..3", "String, nil", "->(x) { x == 1 }"].sample(2, random: @random)
    patterns.each { |pattern| branch_of_case("when #{pattern}", room) }
    branch_of_case("else", room)
    line "end"
  end

  def matched(room)
    first, second, value = fresh, fresh, pick(@variables)
    line "case #{pick([value, "[#{value}, 2]", "[[1, #{value}], 2.5]", "{k: #{value}, l: [#{value}]}", "{k: 3}"])}"
    ["[#{first}, #{second}]", "[[#{first}, *], Float]", "{k: Integer => #{first}, l: [#{second}]}", "{k: #{first}}",
     "[Float => #{first}, *]", "nil", "Integer | Float => #{second}"].sample(3, random: @random).each do |pattern|
      scope do
        @variables |= [first, second].select { |name| pattern.include?(name) }
        branch_of_case("in #{pattern}", room)
      end
    end
    branch_of_case("else", room)
    line "end"
  end

  def branch_of_case(head, room)
    line head
    @depth += 1
    body(room)
    @depth -= 1
  end

  def counted(room)
    counter = fresh
    line "#{counter} = 0"
    @loops += 1
    block("while #{counter} < #{1 + roll(6)}") do
      line "#{counter} += 1"
      body(room)
    end
    @loops -= 1
    @variables |= [counter]
  end

  def with_block(room)
    name = fresh
    head = pick(["#{1 + roll(5)}.times do |#{name}|", "[1, 2.5, #{pick(@variables)}].each do |#{name}|",
                 "#{roll(3)}.upto(#{roll(6)}) do |#{name}|", "r = [3, 1, 2].map do |#{name}|",
                 "r = (1..#{1 + roll(4)}).select do |#{name}|", "r = [1, 2, 3].inject do |#{name}, n|",
                 "{k: 1, l: 2.0}.each do |n, #{name}|", "[[1, 2], [3, 4.5]].each_with_index do |(n, #{name}), i|",
                 "[[1, 2], [#{pick(@variables)}, 4.5], #{pick(%w[[3] 7 nil [5,6,7]])}].each do |#{name}, n|",
                 "1.step(#{3 + roll(5)}, 2) do |#{name}|", "r = [5, 2.0, 7].sum do |#{name}|"])
    loops, @loops = @loops, 0
    @blocks += 1
    scope do
      block(head) do
        @variables |= [name]
        body(room)
        line pick([name, "#{name} == 2", "#{name}.to_i", "nil"])
      end
    end
    @blocks -= 1
    @loops = loops
    @variables |= ["r"] if head.start_with?("r =")
  end

  def rescued(room)
    block("begin") do
      body(room)
      line "raise #{pick(['"boom"', "ArgumentError", "IndexError, \"i\""])} if #{condition}" if roll(2) == 0
      @depth -= 1
      line "rescue #{pick(["=> e", "ZeroDivisionError, TypeError => e", "StandardError => e", "NoMethodError => e"])}"
      @depth += 1
      line "#{pick(@variables)} = e.class.name.length"
      if roll(3) == 0
        @depth -= 1
        line "ensure"
        @depth += 1
        line "#{pick(@variables)} = #{simple}"
      end
    end
  end

  def procs(room)
    name, own = fresh, fresh
    loops, blocks, in_proc = @loops, @blocks, @in_proc
    @loops, @blocks, @in_proc = 0, 1, true
    scope do
      block("#{name} = #{pick(["lambda do |#{own}|", "proc do |#{own}, q = 1|", "->(#{own}, q = 2) do"])}") do
        @variables |= [own]
        body(room)
        line pick(["next #{simple} if #{condition}", simple, own])
        line own
      end
    end
    @loops, @blocks, @in_proc = loops, blocks, in_proc
    line "#{pick(@variables)} = #{name}.call(#{simple})"
    line "#{pick(@variables)} = [1, 2.5].map(&#{name}).first" if roll(3) == 0
  end

  def object
    name = fresh
    line "#{name} = #{pick(%w[Point Pair Deep])}.new(#{simple}, #{simple})"
    pick([1, 2, 3]).times do
      line pick(["#{pick(@variables)} = #{name}.total", "#{name}.step(#{simple})", "#{name}.x = #{simple}",
                 "#{name}.each_part { |p, q = 1| #{pick(@variables)} = p }", "#{name}.y += #{simple}",
                 "#{pick(@variables)} = #{name}.step(1).total", "#{pick(@variables)} = #{name} == Point.new(1, 2)"])
    end
    line "#{pick(@variables)} = #{name}.x"
  end

  def array
    name = fresh
    line "#{name} = [#{Array.new(roll(4)) { simple }.join(", ")}]"
    pick([1, 2]).times do
      line pick(["#{name} << #{simple}", "#{name}[#{roll(4)}] = #{simple}",
        "#{pick(@variables)} = #{name}[#{roll(5) - 2}]",
                 "#{name}.push(#{simple}, 1)", "#{pick(@variables)} = #{name}.pop",
                   "#{pick(@variables)} = #{name}.length",
                 "#{name}.concat(#{name})", "#{pick(@variables)} = #{name}.first", "#{name}.unshift(#{simple})",
                 "#{pick(@variables)} = #{name}.compact.min { |p, q| (p <=> q) || 0 }"])
    end
    line "#{pick(@variables)} = #{name}.length"
  end

  def string
    line pick(["#{pick(@variables)} = \"<\#{#{pick(@variables)}}>\".length",
      "#{pick(@variables)} = #{simple}.to_s.length",
               "#{pick(@variables)} = \"ab\#{#{simple}}\" == \"ab1\" ? 1 : 2.5",
                 "#{pick(@variables)} = :k.to_proc.arity",
               "#{pick(@variables)} = [#{simple}, #{simple}].inspect.sum",
                 "#{pick(@variables)} = \"abc\"[#{simple}] rescue 1"])
  end

  def jump
    if @loops > 0
      line "#{pick(%w[break next])} if #{condition}"
    elsif @in_proc
      line "next #{simple} if #{condition}"
    else
      line "#{pick(["break", "next", "next #{simple}"])} if #{condition}"
    end
  end

  # A call of an earlier method, so that there is no endless recursion.
  def call
    return line("return #{simple} if #{condition}") if @index == 0 || roll(4) == 0
    return line("#{pick(@variables)} = yield(#{simple}, #{simple})") if @own_block && !@in_proc && roll(2) == 0
    line "#{pick(@variables)} = #{call_of(roll(@index), [simple, simple, simple])}"
  end

  def call_of(index, (first, second, third))
    keywords, yields, needs_all = @kinds[index]
    last = !needs_all && roll(2) == 0 ? "" : keywords ? ", c: #{third}" : ", #{third}"
    given = yields ? pick([" { |p, q| p }", " { |p| p == 1 ? 2.5 : p }", " { |p, q| next q if q; 3 }"]) : ""
    "m#{index}(#{first}, #{second}#{last})#{given}"
  end

  def simple = roll(3) == 0 ? pick(NUMBERS) : pick(@variables)

  def expression(room)
    return simple if room == 0
    case roll(13)
    when 0..5
      operator = pick(OPERATORS)
      # Shifts by large numbers take all memory.
      right = %w[<< >>].include?(operator) ? roll(70).to_s : expression(room - 1)
      "(#{expression(room - 1)} #{operator} #{right})"
    when 6 then "(#{condition} ? #{expression(room - 1)} : #{expression(room - 1)})"
    when 7 then "-#{simple.delete_prefix("-")}"
    when 8 then "(#{simple}).#{pick(%w[abs to_i floor succ to_f hash.class.name.length to_s.to_i zero? nil? integer?])}"
    when 9 then "#{simple}&.then { |t| t }"
    when 10 then "[#{simple}, #{simple}].#{pick(%w[max min sum first last])}"
    when 11 then "(#{simple} #{pick(["||", "&&"])} #{simple})"
    else simple
    end
  end

  def condition
    case roll(7)
    when 0..3 then "#{simple} #{pick(COMPARISONS - ["<=>"])} #{simple}"
    when 4 then "#{pick(@variables)}.is_a?(#{pick(%w[Integer Float Numeric])})"
    when 5 then "(#{simple} == #{simple} || !#{pick(@variables)})"
    else "#{pick(@variables)}.nil?"
    end
  end

  def main
    @variables = %w[i]
    redefined = roll(@methods)
    block("def shown(value)") do
      line "value.is_a?(Float) && value.nan? ? \"NaN\" : value.inspect[0, 60]"
    end
    line "results = []"
    line "HANDLED = []"
    line "$one = $two = $three = $alias = 0"
    block("#{@turns}.times do |i|") do
      @methods.times do |index|
        arguments = [[pick(%w[i 1 2.5 nil]), "i", "-i"], ["i", "i * 0.5", "i % 3"],
                     ["i - 20", pick(NUMBERS), "2"], ["i.to_f", "1 << (i + 40)", "i"]]
        block("begin") do
          # The first often fails.
          first, second = arguments.sample(2, random: @random).map { |list| "results << shown(#{call_of(index, list)})" }
          line "#{first} rescue results << $!.class"
          line second
          @depth -= 1
          line "rescue StandardError, NoMemoryError => e"
          @depth += 1
          line "results << \"\#{e.class}: \#{e.message[/[^#]*/][0, 50]}\""
        end
      end
      redefinitions
      if roll(2) == 0
        block("if i == #{25 * @turns / 32}") do
          line pick(["def m#{redefined}(*, **) = 7", "class Integer; def succ = 5; end",
            "class Point; def total = 1.5; end",
                     "class Pair; attr_reader :w; def step(n) = (@v = n; self); end",
                     "class Float; def zero? = nil; end",
                       "class Integer; alias_method :plus, :+; def +(n) = plus(n).plus(0); end"])
        end
      end
    end
    line "p HANDLED.length, HANDLED.uniq.length"
    line "puts KEPT.map { |kept| [kept.class, shown(kept.x)].inspect }"
    line "results.each_with_index { |text, i| puts \"\#{i}: \#{text}\" }"
  end
end

puts Generator.new(Integer(ARGV[0]), Integer(ARGV[1] || 32)).program
