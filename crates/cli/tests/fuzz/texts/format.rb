# Formats of sprintf, and of what writes numbers.
FLAGS = ["", "", "-", "+", " ", "0", "#", "-0", "+#", "1$", "2$", "9$", "*", "*2$", "-*", "<a>", "{a}", "<é>", "<", "{"]
WIDTHS = ["", "", "", "1", "5", "20", "300", ".", ".0", ".3", ".300", "10.5", ".*", "*.*", "2147483647",
  "99999999999999999999", ".2147483648", "1000000"]
TYPES = [*"a".."z", *"A".."Z", "%", "\0", "\n", "é", "", " "]
KNOWN = %w[d i u x X o b B e E f g G a A s p c %]

def directive
  type = Kit.roll(8) == 0 ? Kit.pick(TYPES) : Kit.pick(KNOWN)
  Kit.pick(["", "", "x", "é"]) + "%" + Kit.pick(FLAGS) + Kit.pick(WIDTHS) + type
end

def attempt
  text = Array.new(1 + Kit.roll(4)) { directive }.join
  text = Kit.changed(text, FLAGS + TYPES) if Kit.roll(5) == 0
  text = text.dup.force_encoding(Kit.pick(["UTF-8", "BINARY", "UTF-16LE", "EUC-JP"])) if Kit.roll(8) == 0
  plain = Kit::NUMBERS + Kit::FLOATS + [1r / 3, 2i]
  values = Array.new(Kit.roll(6)) { Kit.roll(3) == 0 ? Kit.value(1) : Kit.pick(plain) }
  values = [{a: Kit.value(1), "é": 1}] if Kit.roll(5) == 0
  reads text, values
  try { format(text, *values) }
  try { text % values }
  number = Kit.pick(Kit::NUMBERS + Kit::FLOATS + [1r / 3, 10**400, -(10**50) / 7r])
  digits = Kit.pick([0, 1, -1, 5, 17, 300, 400, -300, 2**31, -2**31, 2**62, 2**70])
  reads number, digits
  %i[round floor ceil truncate].each { |name| try { number.public_send(name, digits) } }
  try { number.round(digits, half: Kit.pick([:up, :down, :even, "odd", nil])) }
  try { number.to_s(Kit.pick([2, 7, 10, 16, 36, 37, 0, -1])) }
  try { number.digits(Kit.pick([2, 10, 2**64, 1])) }
  try { number.rationalize(Kit.pick([0.1, 1r / 7, 0])) }
end
