# Integer() and Float() with their arguments, also as hot calls.
def shown
  yield.inspect
rescue Exception => error
  "#{error.class}: #{error.message}"
end

class Whole
  def to_int = 7
end

class Part
  def to_f = 2.5
end

TEXTS = ["12", "12x", "0x1f", "", " 3 ", "1_0", "1__0", "12.5", "1e3", "1.", "é", "-0b11", "9" * 30, "1 2"].freeze
OTHERS = [nil, true, 1, 2.9, -2.9, 2**70, 1e300, Float::NAN, 3r / 2, 1i, :a, [], Whole.new, Part.new, BasicObject,
          "1".encode("utf-16le")].freeze

def results
  (TEXTS + OTHERS).flat_map do |value|
    [shown { Integer(value) }, shown { Integer(value, exception: false) }, shown { Integer(value, exception: true) },
     shown { Float(value) }, shown { Float(value, exception: false) }, shown { Kernel.Integer(value) },
     shown { Kernel.Float(value, exception: false) }, shown { Integer(value, 0, exception: false) },
     shown { Integer(value, 16, exception: false) }, shown { Integer(value, 16) }]
  end
end

first = results
puts first.each_slice(10).map { |row| row.join(" | ") }
30.times { raise "a hot call differs" unless results == first }
puts shown { Integer("1", exception: nil) }, shown { Float("1", exception: 1) }
puts shown { Integer("1", exceptions: false) }
puts shown { Integer() }, shown { Integer("1", 2, 3) }, shown { Float("1", 2) }, shown { Integer("z", 36) }
puts shown { Integer("1", 99) }, shown { Integer("1", 99, exception: false) }, shown { Integer("11", Whole.new) }
p %w[1 2 x].map { |text| Integer(text, exception: false) }
p ["1", 2].map(&method(:Integer)), %w[1.5].sum(&method(:Float))
p ["1\0", "\0"].map { |text| [Integer(text, exception: false), Float(text, exception: false)] }
p (-1..37).map { |base| Integer("11", base, exception: false) rescue $!.message }
p method(:Integer).arity, method(:Float).arity, method(:Integer).owner, Kernel.method(:Integer).owner.inspect
p Kernel.private_method_defined?(:Integer), (1.Integer("2") rescue $!.class)
def refused = Integer("refused")
begin
  refused
rescue ArgumentError => error
  puts error.backtrace.map { |line| line[/\d+:in .*/] }
end
begin
  Kernel.Float("refused")
rescue ArgumentError => error
  puts error.backtrace.map { |line| line[/\d+:in .*/] }
end
class Number
  def Integer(value, **) = [:own, super]
  def number = Integer("5", exception: false)
end
p Number.new.number
