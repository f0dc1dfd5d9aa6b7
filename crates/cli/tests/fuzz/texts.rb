# Parses random texts: `texts.rb KIND SEED COUNT`. KIND is the name of a file in `texts/`. The file defines a method
# `attempt`, which makes a text and passes it to what parses it. No text may end the process, hang, or fail inside of
# Beni. `texts.rb KIND SEED COUNT trace` prints each text before it is parsed, `... slow` those that took more than half
# a second, `... only NUMBER` parses only that text. Some texts need a lot of memory: `ulimit -v 4000000` limits it.

KIND, SEED, COUNT = ARGV[0], Integer(ARGV[1]), Integer(ARGV[2])
MODE, ONLY = ARGV[3], ARGV[4]&.to_i
OUT = STDERR.dup
STDIN.reopen(File::NULL)
Warning[:deprecated] = Warning[:experimental] = false
# The longest time for one text, in seconds: before it is interrupted, and before the process ends.
PATIENCE, END_OF_PATIENCE = 5, 60

# Random choices, and texts made from others.
module Kit
  PIECES = ["", " ", "\n", "\0", "\xff", "\x80", "é", "日", "\u{1f600}", "e\u0301", "\u202e", "\ufeff", "0", "9", "-",
            "+", ".", "_", "e", "1e400", "99999999999999999999", "%", "\\", "\"", "'", "`", "#", "\#{", "{", "}", "[",
            "]", "(", ")", "<", ">", "|", "&", "*", "?", "!", ":", ";", ",", "=", "~", "$", "@", "^", "/", "\t",
            "\r\n", "\e"]
  NUMBERS = [0, 1, -1, 2, 3, 7, 8, 9, 10, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1000, 65_535, 2**31 - 1, 2**31, 2**32,
             2**62, 2**63 - 1, 2**63, 2**64, -2**31, -2**63, 2**100]
  FLOATS = [0.0, -0.0, 0.1, 1.5, -2.5, 1e20, 1e308, 5e-324, Float::NAN, Float::INFINITY, -Float::INFINITY]

  module_function

  # Starts a random sequence that depends only on the seed and the number.
  def begin(number) = @random = Random.new(SEED * 1_000_003 + number)
  def roll(sides) = @random.rand(sides)
  def pick(list) = list[roll(list.length)]
  def some(most) = Array.new(roll(most + 1)) { yield }

  # A text in which some pieces are lost, repeated, moved, changed or added.
  def changed(text, pieces = PIECES, most: 4)
    text = text.b
    (1 + roll(most)).times do
      at, length = roll(text.length + 1), roll(12)
      case roll(8)
      when 0 then text[at, length] = ""
      when 1 then text.insert(at, text[roll(text.length + 1), length].to_s)
      when 2 then text.setbyte(at, roll(256)) if at < text.length
      when 3 then text.setbyte(at, text.getbyte(at) ^ 1 << roll(8)) if at < text.length
      when 4 then text = text[0, at]
      when 5 then text.insert(at, pick(pieces).to_s.b * pick([1, 1, 1, 2, 3, 100]))
      else text.insert(at, pick(pieces).to_s.b)
      end
    end
    roll(6) == 0 ? text : text.force_encoding("UTF-8")
  end

  # An object of core classes, for methods that serialize objects.
  def value(depth = 3)
    case roll(depth > 0 ? 12 : 8)
    when 0 then pick(NUMBERS)
    when 1 then pick(FLOATS)
    when 2 then pick([nil, true, false])
    when 3 then pick(PIECES).to_sym
    when 4 then pick(PIECES).dup.force_encoding(pick(["UTF-8", "BINARY", "UTF-16LE", "Shift_JIS", "US-ASCII"]))
    when 5..7 then some(4) { pick(PIECES).b }.join.force_encoding(pick(["UTF-8", "BINARY"]))
    when 8..9 then some(4) { value(depth - 1) }
    else some(4) { [value(depth - 1), value(depth - 1)] }.to_h
    end
  end
end

require_relative "texts/#{KIND}"

$stdout = $stderr = File.open(File::NULL, "w")

# Prints the text that is parsed, if the run is traced.
def reads(*texts)
  OUT.syswrite("#{$number}: #{texts.map(&:inspect).join(" | ")}\n") if MODE == "trace" || ONLY
  $texts = texts
end

# Runs the block, which parses the text. Any exception is correct except an internal error of Beni.
def try
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC) if MODE == "slow"
  yield
rescue Exception => error
  text = error.message.to_s.b
  raise unless error.is_a?(StandardError) || error.is_a?(ScriptError) || error.is_a?(NoMemoryError) ||
               error.is_a?(SystemStackError)
  ill(text) if text.start_with?("[BUG]")
ensure
  if began && (time = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began) > 0.5
    OUT.syswrite("#{$number}: #{time.round(1)} s at #{caller_locations(1, 1).first.lineno}, #{$texts.inspect}\n")
  end
end

def ill(text)
  OUT.syswrite("text #{$number} of #{KIND}, seed #{SEED}: #{text}\n")
  exit! 1
end

main = Thread.current
Thread.new do
  since = 0
  until $number.nil?
    before = $number
    sleep 1
    since = before.equal?($number) ? since + 1 : 0
    main.raise(IOError, "too long") if since == PATIENCE
    ill("takes too long") if since == END_OF_PATIENCE
  end
end
(ONLY ? [ONLY] : COUNT.times).each do |number|
  $number = number
  Kit.begin(number)
  begin
    attempt
  rescue StandardError, ScriptError, NoMemoryError, SystemStackError => error
    ill("#{error.class}: #{error.message}\n#{error.backtrace.join("\n")}") if error.message.to_s.b.start_with?("[BUG]")
  rescue Exception => error
    ill("#{error.class}: #{error.message.to_s.b}")
  end
end
OUT.syswrite("#{COUNT} texts\n")
exit!(0)
