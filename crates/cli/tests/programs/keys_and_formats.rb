# Keys that are hashed without calls, missing variables, formatted and small numbers.
h = {[1, 2] => :a, [1, "x"] => :b, [] => :c, [nil, 1.5] => :d}
p h[[1, 2]], h[[1, "x"]], h[[]], h[[nil, 1.5]], h[[1.0, 2]], h[[1, 2, 3]], [1, 2].hash == [1, 2].hash, [[1]].hash == [[1]].hash
p h.key?([1, "x".dup.force_encoding("BINARY")]), {[0.0] => 1}[[-0.0]], {[1, [2, "y"]] => 1}[[1, [2, "y"]]]
plain = Object.new
p({plain => 1}[plain], {plain => 1}[Object.new], {plain => 1}.key?(plain.dup))
class Point
  attr_reader :x
  def initialize(x) = @x = x
  def hash = @x.hash
  def eql?(other) = @x == other.x
end
p({Point.new(1) => 1}[Point.new(1)], {[Point.new(1)] => 2}[[Point.new(1)]], [Point.new(3), Point.new(3)].uniq.size)
class Object; alias old_hash hash; def hash = 7; end
p({Object.new => 1}.keys.first.hash)
class Object; alias hash old_hash; end
class Sub < Array; def hash = 5; def eql?(other) = true; end
p({Sub[1] => 1}[Sub[2]])

class Cat
  def name = @name
  def name=(v)
    @name = v
  end
  def size = @size
end
cats = Array.new(3) { Cat.new }
p cats.map(&:name), cats.map(&:size)
cats[1].name = "Tom"
p cats.map(&:name), cats.map(&:size), (cats[0].instance_variable_set(:@size, 3); cats.map(&:size))
cats[1].remove_instance_variable(:@name)
p cats.map(&:name)

values = [0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 0.005, 1.005, 1e15 + 0.5, 123456789.987654321, 1e-7, 5e-324, 1e19, 1.8e19,
  2**63 + 0.0, 9007199254740993.0, 0.1 + 0.2, 99.995, 999999.9999999, 1e22, 1e300, 4503599627370497.5]
values.each { |v| puts [0, 1, 2, 3, 6, 10, 17, 18, 19, 25].map { |digits| format("%.#{digits}f", v) }.join(" ") }
p format("%08.3f|%-9.2f|%+.1f|% .0f|%#.0f", 3.14159, 2.5, 0.05, 2.5, 3.0), format("%d %5d %-5d| %05d %+d %x", -7, 42, 42, -42, 42, 255)
p 7.divmod(-2), (-7).divmod(2), (2**62).divmod(-1), (-2**62).divmod(-1), (begin; 1.divmod(0); rescue => e; e.class; end)
p Integer.sqrt(0), Integer.sqrt(2**62 - 1), Integer.sqrt(10**20), (begin; Integer.sqrt(-1); rescue => e; e.class; end)
p 1/3r + 1/6r, 1/3r - 1/3r, 2/3r * 3/4r, (1/3r) / (-2/5r), (begin; 1r / 0; rescue => e; e.class; end), 1r / (2**62 - 1) * (2**62 - 1), (2**61).to_r * 8 / 3
n = 5
p "a#{n}b#{:sym}c#{nil}d#{1.5}é#{"ü"}".encoding, "#{"x".encode("US-ASCII")}#{n}".encoding, "#{"\xff".b}#{n}".encoding, "#{n}".encoding
p (begin; "#{"é"}#{"\xff".b}"; rescue => e; e.class; end), "#{"é".encode("UTF-16LE")}".encoding, "#{"abc" * 100}#{"é" * 100}".valid_encoding?, "a#{"\xff"}b".valid_encoding?
