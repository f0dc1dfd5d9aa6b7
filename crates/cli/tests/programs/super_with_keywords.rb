# `super` with keywords to native methods: the second call finds the method in the table of recent entries.
class S < String
  def lines(chomp: false) = super(chomp: true)
  def encode(to, **options) = super(to, **options)
end

Record = Struct.new(:a, keyword_init: true) do
  def initialize(a:) = super(a: a + 1)
end

Point = Data.define(:x, :y) do
  def initialize(x:, y: nil) = super(x: x, y: y || x)
end

class All < Struct.new(:a, :b)
  def initialize(**) = super
end

class Literal < String
  def initialize(text = "one", *rest) = super("two", *rest)
  def +(other) = super("three", *[])
end

# A block argument that is nil, as compiled code knows.
def replaced(text, **options) = text.encode("US-ASCII", **options, &nil)

results = 1500.times.map do
  text = S.new("a\nb\u3042\n")
  literal = Literal.new
  literal << "!"
  [text.lines, text.encode("US-ASCII", undef: :replace), Record.new(a: 1), Point.new(x: 3), All.new(a: 1, b: 2),
   literal, (literal + 1) << "?", replaced(text, undef: :replace)]
end
puts results.uniq.map(&:inspect)

class Packer < Array
  def pack(*a, **k) = super(*a, **k)
  def first(*, **) = super
end
list, buffer = Packer.new([65]), +""
1500.times { list.pack("C", buffer: buffer) }
p buffer.size, list.first
