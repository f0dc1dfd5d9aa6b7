# Methods of the Ruby half with a rest parameter, called without arguments for it, and with literal Strings: what they
# keep is the program's own, and what they share cannot be seen.
require "stringio"
class Given
  include Enumerable
  def each(*args)
    @last = args
    yield 1
    yield args.size
    args << :changed
    self
  end
  attr_reader :last
end
def without
  given = Given.new
  seen = []
  given.each_with_index { |x, i| seen << [x, i] }
  given.each_entry { |x| seen << x }
  given.reverse_each { |x| seen << x }
  first = given.last
  seen << given.to_a << given.to_h { |x| [x, x] } << first << first.frozen?
  seen << [5].each_with_index.to_a << [5].to_enum.next << [[1], [2]].to_enum(:flat_map).to_a
  seen << { a: 1 }.merge << { a: 1 }.merge! << [1].zip << [1, 2].product << given.zip << Set[1].merge.to_a
  seen << [1].each_entry.inspect << given.each_with_index.inspect[0, 20] << Enumerator.new { |y| y.yield; y << 1 }.to_a
  seen << given.each_entry.size << [4].each_with_index.with_index.to_a << (1..2).each_with_index.to_a
  seen
end
p without
expected = without
200.times { raise "hot" unless without == expected }

def literals
  kept = [StringIO.new("text").string, StringIO.new.tap { |io| io.write("written") }.string]
  kept << File.join("a", "b") << Hash.new { |table, key| table[key] = key }.fetch("key", "default")
  kept << [["k", 1]].to_h["k"] << { "k" => "v" }.transform_keys({ "k" => "changed" }).keys[0]
  kept.grep(String).each { |text| text << "!" unless text.frozen? }
  kept
end
p literals
200.times { raise "hot" unless literals == ["text!", "written!", "a/b!", "default!", 1, "changed"] }

Pair = Struct.new(:a, :b)
class Text < String; end
TEXTS = ["12", " 12\n", "-0x1f", "1_000", "1__0", "0b11", "", "_1", "1e3", "9" * 30, "12.5", "1_000.5",
         "1_0.2_5e1_0", "1_", "1._5", "1_e5", ".5", "5.", "0x1p3", "nan", "1e400", "12abc",
         Text.new("7"), "7".encode("UTF-16LE")]
def raised
  yield.inspect
rescue ArgumentError, TypeError, EncodingError => e
  "#{e.class}: #{e.message}"
end
def numbers
  TEXTS.flat_map do |text|
    [raised { Integer(text) }, raised { Float(text) }, raised { Integer(text, 16) },
     raised { Integer(text, exception: false) }, raised { Float(text, exception: false) }]
  end
end
def literal_numbers
  [Integer("12"), Integer("0x1f", 16), Integer("z", 36), Float("1.5"), Float("1_000.5"),
   Integer("-7", exception: false),
   raised { Integer("1x") }, raised { Integer("1", 99) }, raised { Integer("1", 1) }, raised { Float("1x") },
   raised { Integer(1.5, 3) }, raised { Integer(nil) }, Pair.new(1, 2)["a"],
   Pair.new(1, 2).tap { |s| s["b"] = "x" << "y" }.b,
   { "a" => 1 }.fetch("a"), "a".eql?("a"), :a == "a"]
end
puts numbers
p literal_numbers
expected = [numbers, literal_numbers]
150.times { raise "hot" unless [numbers, literal_numbers] == expected }
