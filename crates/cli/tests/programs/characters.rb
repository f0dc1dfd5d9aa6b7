# string[index] of ASCII and other Strings at the same place, cold and in compiled code.
class Text < String; end

class Scanner
  def initialize(text) = @text = text
  def at(index) = @text[index]
end

def character(text, index) = text[index]

def scan(text)
  scanner = Scanner.new(text)
  i, characters = 0, []
  while i < text.length
    characters << scanner.at(i)
    i += 1
  end
  characters
end

ascii = "hello, world"
long = "abc" * 100
binary = "ab\xff".b
400.times do |n|
  c = character(ascii, n % 12)
  raise "character" unless c == ascii.byteslice(n % 12)
  raise "encoding" unless c.encoding == Encoding::UTF_8
  raise "frozen" if c.frozen? || c.equal?(character(ascii, n % 12))
  c << "!"
  raise "changed" unless ascii == "hello, world" && c.size == 2
  raise "long" unless character(long, 100 + n % 100) == "abc"[(100 + n % 100) % 3]
end
p scan("xyz"), scan("äöü"), character(binary, 0).encoding, character(binary, 2), character("ab".encode("EUC-JP"), 1).encoding
p character(ascii, -1), character(ascii, 12), character(ascii, 13), character(ascii, -13), character("", 0)
p character(ascii, 1 << 70) rescue p $!.class
p character(ascii, "world"), character(ascii, 2..4), character(ascii, /l+/), character(ascii, 1.9), character([7, 8], 1)
p character({ 1 => :one }, 1), character(Text.new("ab"), 1).class, character(5, 0), character("äb", 1)
p character("ab".encode("UTF-16LE"), 1), character("a\u3042", 1)
changing = +"abc"
300.times { raise "changing" unless character(changing, 1) == "b" }
changing.setbyte(1, 0xc3)
p character(changing, 1).valid_encoding?, character(changing, 2)

class String
  def [](index) = :redefined
end
p character(ascii, 1)
