# Numbers and Strings with arguments at the borders of what they accept, cold and in a loop.
def infinite_remainders
  [1, -1, 0, 2**31, 2**70, -2**70].map { |n| [n.remainder(Float::INFINITY), n.remainder(-Float::INFINITY)] }
end

def powers_modulo_zero = [0.pow(3, 0), 0.pow(2**70, 0), (0.pow(0, 0) rescue $!.class), (1.pow(3, 0) rescue $!.class)]
def quotients_by_complex = [(5.fdiv(2 + 3i) rescue $!.message), 0 / (1.5 - 2i), 0.0 / (1.5 - 2i), Complex(-0.0, 0) + 0]
def rationalized = [0.5.rationalize(1i), 5r.rationalize(1i), (0.5.rationalize("x") rescue $!.class)]
def far_bits = [1[1e30], ((1 << 70)[1e30] rescue $!.message), (1 << 70)[70.5], (1 << 70)[2**70]]
def far_characters = [2**62, 2**31, -1].map { |code| format("%c", code) rescue $!.class }

def formatted(text)
  [format("%s", text).encoding, format("%s%s", "", text) == text, (format("x%s", text) rescue $!.class)]
end

def symbols
  broken = ["\x80a".dup.force_encoding("US-ASCII"), "\xd8\0\0".dup.force_encoding("UTF-16BE"), "\xff"]
  broken.map { |s| s.to_sym rescue $!.class }
end

def cut_short = ["x\xE3\x81".gsub("", "-").b, "\xE3\x81x".gsub("", "-").b, "\xff".chomp("\xff"), "a\n".chomp("\n")]
def salted = ["a:", "日本"].map { |salt| "x".crypt(salt) }

wide = "ab".encode("UTF-16LE")
all = lambda do
  [infinite_remainders, powers_modulo_zero, quotients_by_complex, rationalized, far_bits, far_characters,
   formatted(wide), symbols, cut_short, salted]
end
cold = all.()
puts cold.map(&:inspect)
300.times { |i| raise "differs at #{i}" if all.().inspect != cold.inspect }
