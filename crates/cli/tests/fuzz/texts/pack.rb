# Formats of Array#pack and String#unpack.
LETTERS = [*"a".."z", *"A".."Z", *"%@#_!<> *[]^0123456789".chars, "\n", "\0", "é", "R", "r"]
COUNTS = ["", "", "*", "0", "1", "2", "3", "7", "100", "2147483647", "2147483648", "9223372036854775807",
  "9223372036854775808", "99999999999999999999"]
SUFFIXES = ["", "", "", "_", "!", "<", ">", "_<", "!>", "<>"]
KNOWN = %w[a A Z b B h H u M m p P c C s S l L q Q j J n N v V U w x X @ d D f F e E g G R r]

def directive
  Kit.roll(20) == 0 ? Kit.pick(LETTERS) : Kit.pick(KNOWN) + Kit.pick(SUFFIXES) + Kit.pick(COUNTS)
end

def format = Array.new(1 + Kit.roll(6)) { directive }.join(Kit.pick(["", " "]))

def attempt
  text = format
  text = Kit.changed(text, LETTERS) if Kit.roll(4) == 0
  # "p" and "P" would read from an address in the text.
  reading = text.b.delete("pP")
  list = Kit.some(6) { Kit.value(1) }
  bytes = (Kit.some(12) { Kit.pick(Kit::PIECES).b * Kit.pick([1, 1, 9]) }).join
  reads text, list, bytes
  try { list.pack(text) }
  try { list.pack(text, buffer: bytes.dup) }
  try { bytes.unpack(reading) }
  try { bytes.unpack1(reading, offset: Kit.pick([0, 1, -1, bytes.length, bytes.length + 1, 2**62])) }
  try { bytes.unpack(reading) { |v| bytes.clear if Kit.roll(9) == 0 } }
  try { list.pack(reading).unpack(reading) }
end
