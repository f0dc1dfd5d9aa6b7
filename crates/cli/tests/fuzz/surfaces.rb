# Writes a random program that uses one of the surfaces in `surfaces/`: `surfaces.rb KIND SEED COUNT`. The file has the
# program's beginning, and after `__END__` statements, a line each, and the values of their placeholders:
# `name: value | value`. A placeholder `{name}` becomes one of the values, which may have placeholders themselves. Each
# statement prints its value or the class of its exception, so that runs can be compared.

KIND, SEED, COUNT = ARGV[0], Integer(ARGV[1]), Integer(ARGV[2])
RANDOM = Random.new(SEED)

beginning, rest = File.read("#{__dir__}/surfaces/#{KIND}.rb").split("__END__\n", 2)
VALUES, STATEMENTS = rest.lines(chomp: true).reject(&:empty?).partition { |line| line.match?(/\A\w+: /) }
PLACES = VALUES.to_h { |line| line.split(": ", 2) }.transform_values { |values| values.split(" | ") }
PLACES["n"] ||= %w[0 1 -1 2 3 5 8 16 64 1000 -3 2**31 2**62 2**64 -2**63 1.5 nil]
PLACES["i"] ||= %w[0 1 2]

def filled(text, depth = 0)
  return text if depth > 6
  text.gsub(/\{([a-z]+)\}/) { PLACES.key?($1) ? filled(PLACES[$1].sample(random: RANDOM), depth + 1) : $& }
end

puts beginning
puts <<~'PROGRAM'
  require "timeout"
  $count = 0
  def shown(value)
    value.inspect.gsub(/0x\h{6,}/, "0x").gsub(/\(eval at [^)]*\)/, "(eval)").gsub(/\S+\.rb:\d+/, "").byteslice(0, 300)
  rescue Exception
    "inspect: #{$!.class}"
  end
  def try
    value = Timeout.timeout(10) { yield }
    puts "#{$count += 1}: #{shown(value)}"
  rescue Exception => error
    raise if error.message.to_s.include?("[BUG]")
    puts "#{$count += 1}: #{error.class}"
  end
PROGRAM
# A statement that parses.
def statement
  loop do
    text = filled(STATEMENTS.sample(random: RANDOM))
    begin
      RubyVM::InstructionSequence.compile("try { #{text} }")
      return text
    rescue SyntaxError
      next
    end
  end
end

COUNT.times { puts "try { #{statement} }" }
puts "finish if respond_to?(:finish, true)"
puts 'puts "end"'
