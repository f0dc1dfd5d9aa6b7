# Calls random methods with random arguments: `calls.rb SEED COUNT`. No call may end the process, hang, or fail
# inside of Beni.
# Receivers and arguments are of all core classes and encodings; some are frozen, shared, contain themselves, or
# convert to something else than they should, change their receiver meanwhile, or raise. Some methods of core classes
# are redefined. `calls.rb SEED COUNT trace` prints each call before it is made.

SEED, COUNT = Integer(ARGV[0]), Integer(ARGV[1])
TRACE = ARGV[2] == "trace"
RANDOM = Random.new(SEED)
OUT = STDERR.dup
$stdout = $stderr = File.open(File::NULL, "w")
STDIN.reopen(File::NULL)

# An object whose conversions return wrong results, raise, throw, or change another object.
class Hostile
  CONVERSIONS = %i[to_str to_s to_ary to_a to_hash to_h to_int to_i to_f to_r to_c to_sym to_proc to_path to_io to_open
                   coerce hash eql? == <=> === =~ each begin end exclude_end? call inspect succ size length]

  def initialize(kind, victim)
    @kind, @victim = kind, victim
  end

  CONVERSIONS.each do |name|
    define_method(name) do |*arguments, &block|
      case @kind
      when 0 then raise IndexError, "hostile"
      when 1 then Kit.value(1)
      when 2 then Kit.disturb(@victim)
      when 3 then name.to_s.include?("int") || name == :hash ? 1 << 70 : nil
      when 4 then arguments.first
      when 5 then throw :out
      when 6 then block&.call(self) || self
      else
        Kit.disturb(@victim)
        Kit.right(name)
      end
    end
  end
end

# Creates values, and changes objects while the core works on them.
module Kit
  TEXTS = ["", "a", "abc", "é", "日本語", "ab\ncd\n", "\xff", "a\x00b", "12", "1.5e3", "%d %s", "x" * 300,
           "\u{1f600}",
    " a ",
           "0x1F", "a-z", "^a-c", "C*", "N2a*", "(a)(?<n>b)?", "*", "/tmp", "UTF-8", "あ" * 50, "ß", "İ", "\r\n",
             "b" * 5000]
  NUMBERS = [0, 1, -1, 2, 3, 7, 10, 64, 255, 256, 1000, 2**31, 2**62, 2**63, 2**64, -2**63, 2**100, 0.0, -0.0, 1.5,
    -2.5,
             1e20, Float::NAN, Float::INFINITY, -Float::INFINITY, Rational(1, 3), Complex(1, 2), 0.1,
               12345678901234567890]
  ENCODINGS = Encoding.list.reject { |encoding| encoding.name == "UTF-7" }

  module_function

  def roll(sides) = RANDOM.rand(sides)
  def pick(list) = list[roll(list.length)]

  def text
    made = pick(TEXTS).dup
    case roll(6)
    when 0 then made.force_encoding(pick(ENCODINGS))
    when 1 then made.encode(pick(ENCODINGS), invalid: :replace, undef: :replace)
    when 2 then made.b
    when 3 then made << pick(TEXTS)
    else made
    end
  rescue EncodingError, ArgumentError
    made
  end

  def list(depth)
    made = Array.new(roll(5)) { value(depth - 1) }
    made << made if roll(20) == 0
    made
  end

  def table(depth)
    made = roll(8) == 0 ? {}.compare_by_identity : {}
    roll(5).times { made[value(depth - 1)] = value(depth - 1) rescue nil }
    made.default_proc = proc { |hash, key| hash.size > 20 ? 1 : hash[key] = 1 } if roll(10) == 0
    made[:self] = made if roll(20) == 0
    made
  end

  def range
    first = pick([nil, 0, 1, -3, 2.5, "a", 2**64])
    last = pick([nil, 3, 10, -1, 7.5, "e", first])
    Range.new(first, last, roll(2) == 0)
  rescue ArgumentError
    0..3
  end

  def plain(depth)
    case roll(depth > 0 ? 22 : 10)
    when 0..2 then pick(NUMBERS)
    when 3..5 then text
    when 6 then pick([nil, true, false])
    when 7 then pick([:a, :"é", :+, :[]=, :"a b", :each, :to_s, :x?])
    when 8 then range
    when 9 then pick([/a/, /(?<n>.)\k<n>?/, /\b|é/u, /[^a]+?/m, /(a*)*b/, /\p{Alpha}/i, /x/n, Regexp.union("a", "b")])
    when 10..12 then list(depth)
    when 13..14 then table(depth)
    when 15 then pick([Integer, String, Array, Comparable, Kernel, Class, Hash, Struct, Encoding::UTF_8, BasicObject])
    when 16 then pick([proc { |a, b| a }, lambda { |a| a }, :to_s.to_proc, proc { |*a| a.first }, proc { raise "p" }])
    when 17 then Struct.new(:a, :b).new(value(depth - 1), 1)
    when 18 then pick([Time.at(0), Time.utc(2000, 1, 1), Time.at(2**40, in: "+09:00"), Random.new(3), Object.new])
    when 19 then Set.new(list(depth))
    when 20 then pick([[1, 2].each, (1..3).lazy, "ab".each_char, {a: 1}.each, [3].cycle, (1..).step(2), 1.step(by: 2)])
    else pick([1.method(:+), "a".method(:sub), "ab".match(/(?<x>b)/), RuntimeError.new("e"), binding, Mutex.new,
      Queue.new,
               ObjectSpace::WeakMap.new, Encoding::Converter.new("UTF-8", "UTF-16LE"), Data.define(:x).new(1),
                 IO::Buffer.new(16)])
    end
  end

  def value(depth = 2)
    made = roll(12) == 0 ? Hostile.new(roll(9), @receiver) : plain(depth)
    case roll(16)
    when 0 then made.freeze
    when 1 then made.dup
    when 2 then (Ractor.make_shareable(made) unless Proc === made || Hostile === made) || made
    else made
    end
  rescue StandardError
    made
  end

  # Changes an object in place.
  def disturb(victim)
    case victim
    when String then pick([-> { victim.clear }, -> { victim << "z" * 100 }, -> { victim.replace("é") },
                           -> { victim.force_encoding("UTF-16LE") }, -> { victim.freeze }]).call
    when Array then pick([-> { victim.clear }, -> { victim.concat([1] * 50) }, -> { victim.shift },
      -> { victim.replace([nil]) },
                          -> { victim.freeze }]).call
    when Hash then pick([-> { victim.clear }, -> { victim[rand] = 1 }, -> { victim.delete(victim.keys.first) },
      -> { victim.rehash },
                         -> { victim.compare_by_identity }]).call
    when Set then victim.clear
    when Queue then victim.clear
    end
    GC.start if roll(20) == 0
    nil
  rescue StandardError
    nil
  end

  # A correct result of a conversion.
  def right(name)
    case name
    when :to_str, :to_s, :to_path, :inspect then text
    when :to_ary, :to_a, :coerce then list(1)
    when :to_hash, :to_h then table(1)
    when :to_proc then proc { |*list| list.first }
    when :to_f then 1.5
    when :to_r then 1r
    when :to_c then 1i
    when :to_sym then :a
    when :eql?, :==, :===, :exclude_end? then true
    when :succ, :begin, :end, :each, :call then 1
    when :to_io, :to_open then STDIN
    else pick([0, 1, -1, 3])
    end
  end

  def receiver = @receiver = value(3)
end

# Methods that end the process, wait, or change its environment.
FORBIDDEN = %i[exit exit! abort fork exec system spawn ` trap sleep raise throw binding eval instance_eval class_eval
               module_eval instance_exec class_exec module_exec loop gets readline readlines require require_relative
                 load autoload
               test open select syscall callcc kill set_trace_func trace_var undef_method remove_method remove_const
                 define_method
               freeze pop shift deq lock synchronize const_set remove_class_variable class_variable_set alias_method
               public private protected module_function include extend prepend refine using allocate undef_method
               instance_variable_set send __send__ public_send method_missing initialize at_exit srand putc print puts p
               display warn pp printf irb attr_accessor attr_reader attr_writer attr inherited local_variable_set
               const_missing public_class_method private_class_method private_constant public_constant
                 deprecate_constant
               define_singleton_method set_temporary_name ruby2_keywords method_added method_removed default_internal=
               default_external= remove_instance_variable source_location then wait push enq << broadcast]
GLOBAL = %i[cycle step upto downto times]

def candidates(receiver)
  names = receiver.methods + receiver.private_methods(false)
  names -= FORBIDDEN unless String === receiver || Array === receiver || Hash === receiver || Set === receiver
  names = names.reject { |name| name.start_with?("__") }
  names - (FORBIDDEN - %i[pop shift push << freeze then])
end

# Redefines methods that the core itself uses, in some runs.
REDEFINITIONS = [
  -> { Integer.class_eval { alias_method :own_plus, :+; def +(other) = own_plus(other) } },
  -> { String.class_eval { def ==(other) = true } },
  -> { Array.class_eval { def each = self } },
  -> { Hash.class_eval { def []=(key, value); end } },
  -> { Symbol.class_eval { def to_proc = proc { |x| x } } },
  -> { NilClass.class_eval { def to_s = "none".dup } },
  -> { Integer.class_eval { def <=>(other) = nil } },
  -> { String.class_eval { def hash = 5 } },
  -> { Array.class_eval { def hash = raise("hash") } },
  -> { Object.class_eval { def respond_to_missing?(*) = true } },
  -> { Exception.class_eval { def message = 5 } },
]

def call(number)
  receiver = Kit.receiver
  name = Kit.pick(candidates(receiver))
  arguments = Array.new([0, 0, 1, 1, 1, 2, 2, 3][Kit.roll(8)]) { Kit.value(2) }
  keywords = Kit.roll(12) == 0 ? {Kit.pick(%i[exception half chomp in by to limit base invalid]) => Kit.value(1)} : {}
  turns = 0
  block = Kit.roll(3) == 0 ? nil : proc do |*values|
    turns += 1
    throw :out if turns > 30
    Kit.disturb(receiver) if Kit.roll(15) == 0
    Kit.roll(4) == 0 ? Kit.value(1) : values.first
  end
  if TRACE
    # Only values whose text needs no call of other objects' methods, so that tracing does not change the run.
    simple = [String, Symbol, Numeric, NilClass]
    shown = [receiver, *arguments].map { |v| simple.any? { |kind| kind === v } ? v.inspect[0, 70] : v.class.to_s }
    OUT.syswrite("#{number}: #{name} of #{shown.join(" | ")} #{keywords.keys} #{block ? "block" : ""}\n")
  end
  result = catch(:out) { receiver.__send__(name, *arguments, **keywords, &block) }
  result.inspect if Kit.roll(6) == 0
rescue NoMemoryError, SystemStackError, SignalException, ScriptError, StandardError, UncaughtThrowError
  $!.full_message if Kit.roll(20) == 0
rescue Exception => error
  raise if error.message.to_s.include?("[BUG]")
end

REDEFINITIONS.sample(1 + SEED % 3, random: RANDOM).each(&:call) if SEED % 4 == 0
$number = 0
main = Thread.current
# Calls that take long are interrupted.
Thread.new do
  until $number.nil?
    before = $number
    sleep 3
    main.raise(IOError, "too long") if before.equal?($number)
  end
end
COUNT.times do |number|
  begin
    $number = number
    call(number)
  rescue Exception => error
    text = error.message.to_s
    if text.include?("[BUG]")
      OUT.syswrite("call #{number} of seed #{SEED}: #{text}\n")
      exit! 1
    end
  end
end
OUT.syswrite("#{COUNT} calls\n")
exit!(0)
