# Which methods of a program's objects core methods call, and which they do not.
nan = Complex(Float::NAN, 0)
p nan == nan, nan == Float::NAN, Complex(1, 2) == Complex(1.0, 2)

object = Object.new
class << object
  protected def hidden = 1
end
begin
  object.hidden
rescue NoMethodError => e
  puts e.message[/protected method 'hidden' called/]
end

class Above; def name = :above; end
class Below < Above
  def name = :below
  alias title name
end
p Below.new.method(:title).super_method.call, Below.instance_method(:title).super_method.name

# An object with the interface of a Range.
Ends = Struct.new(:begin, :end, :exclude_end?)
ends = Object.new
def ends.begin = 1
def ends.end = -2
def ends.exclude_end? = true
p [1, 2, 3, 4][ends], "hello"[ends]
begin
  [1][Object.new]
rescue TypeError => e
  puts e.message
end

Pair = Struct.new(:a, :b) do
  def to_a = raise("to_a")
  def members = raise("members")
end
pair = Pair.new(1, 2)
p pair.each.map { |x| x }, pair.each_pair.map { |x| x }, pair.select(&:odd?), pair.to_h

hash = { a: 1, b: 2 }
def hash.to_a = raise("to_a")
def hash.each = raise("each")
p hash.transform_keys!(&:to_s)

class Three
  include Enumerable
  def each = (yield 1; yield 2, 3)
  def to_a = raise("to_a")
end
Three.new.reverse_each { |x| p x }

class TrueClass; def ==(other) = other == 1 || super; end
p true === 1, true === 2, true === true

path = "/tmp/newlines_#{$$}"
File.write(path, "a\nb\n", newline: :cr)
p File.binread(path)
File.unlink(path)
p Encoding::Converter.new("", "xml_text_escape").convert("<a&b>")
p Encoding::Converter.search_convpath("", "crlf_newline")

# The result of a comparison by the other operand is -1, 0 or 1, whatever it returns.
other = Object.new
def other.<=>(_) = 2**100
p "a" <=> other

list = [0]
begin
  list[ends] = 1
rescue RangeError => e
  puts e.class
end
p Exception.new("a\nb"), Exception.new("a b")
begin
  File.fnmatch("a\0b", "a")
rescue ArgumentError => e
  puts e.message
end

# An exception is compared with what `exception` returns, and with the message and backtrace of that.
class Convertible
  def initialize(result) = @result = result
  def exception = @result
end
class Unwilling
  private def exception = raise("no")
end
error = RuntimeError.new("a")
p [RuntimeError.new("a"), RuntimeError.new("b"), ArgumentError.new("a"), "a", nil].map { error == Convertible.new(it) }
p error == ArgumentError.new("a"), error == Unwilling.new, error == BasicObject, error == RuntimeError, $!
class WithMessage < RuntimeError
  def message = "b"
end
p WithMessage.new("a") == WithMessage.new("a"), WithMessage.new("b") == Convertible.new(WithMessage.new("a"))
p WithMessage.new("a") == Convertible.new(WithMessage.new("a"))
