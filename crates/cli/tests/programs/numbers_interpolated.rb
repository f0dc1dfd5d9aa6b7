# Small integers in interpolated Strings become digits when the parts are concatenated.

def line(n, text) = "#{n}: #{text}"
def alone(n) = "#{n}"
def symbol(n) = :"name_#{n}"
def pattern(n) = /a{#{n}}/
def many(a, b, c) = "#{a}#{b}#{c}"

INTEGERS = [0, 1, -1, 9, 10, 99, 100, -100, 12345678901, 2**62 - 1, -2**62, 2**62, -2**70]
2.times do
  p INTEGERS.map { |n| [line(n, n), alone(n)] }
  300.times { |n| line(n, "x") && alone(n) && symbol(n) && pattern(2) && many(n, n, n) }
end
p symbol(-5), pattern(3), many(1, 2, 3), many(nil, 1, :a), many(1.5, 2, "x")

# Encodings.
p alone(5).encoding, many(1, 2, 3).encoding, line(1, "é").encoding, line(1, "é".encode("EUC-JP")).encoding
p line(1, "x".encode("UTF-16LE")).encoding rescue p $!.class
p many("x".encode("UTF-16LE"), 1, 2).encoding rescue p $!.class
p many("é", 1, "\xE9".dup.force_encoding("ISO-8859-1")) rescue p $!.class
p line(12, "\xff").valid_encoding?, line(12, "é").valid_encoding?, line(12, "e").ascii_only?

# A result that is an Integer is not a String.
class Odd
  def to_s = 5
end
p alone(Odd.new).match?(/\A#<Odd/), line(3, Odd.new).match?(/\A3: #<Odd/)
300.times { alone(Odd.new) }
p alone(Odd.new).match?(/\A#<Odd/)

# Replaced while the parts are computed, and afterwards.
def replaced_between = "#{1}#{Integer.class_eval { def to_s(*) = "replaced" }; 2}#{3}"
p replaced_between, alone(4), line(5, 6), "#{2**64}"
class Integer
  def to_s(*) = self
end
p alone(4).match?(/\A#<Integer/)
