require "thin"

class Above
  def to_s = "object"
  def greet(*list, **options) = [:above, list, options, block_given?]
  def wave(*list) = [:waved, list]
end

class Below < Above
  p Thin.defines(self, :greet)
  define_method(:wave, &Thin.defining_block)
  define_method(:absent, &Thin.defining_block)
end

class Lowest < Below
  def greet(*) = super
end

def show((receiver, *rest)) = puts("#{receiver} #{rest.inspect}")
def error = yield rescue puts("#{$!.class}: #{$!.message[/.*method '\w+'|.*/]}")

3.times do
  show Below.new.greet(1, 2)
  show Below.new.greet(a: 3) { 4 }
  show Lowest.new.greet(5)
  show Below.new.wave
end
error { Below.new.absent }
p Below.instance_method(:greet).arity, Below.instance_method(:wave).owner
p [Rational, Complex, Object, Array, Class.new(String), Integer, NilClass, Proc, Method, Class.new(StandardError)].map { Thin.allocated_by_c?(it) }
p Thin.allocated_by_c(Rational), Thin.allocated_by_c(Complex), Thin.allocated_by_c(Class.new(Array))
[0, 3, 127, 128, 2000].each { |n| p Thin.buffered(n).then { |text, freed| [text == n.times.map { "#{it}," }.join, freed] } }

key, table = +"key", {}
p Thin.stored(table, key), table, table.keys[0].frozen?, table.keys[0].equal?(key)
error { table.each { Thin.stored(table, "another") } }
error { Thin.stored({}.freeze, "key") }
p Thin.stored({}.compare_by_identity, key)
p Thin.encoding_index("é", nil), Thin.encoding_index("a".b, nil), Thin.encoding_index(:é, nil), Thin.encoding_index(/é/, nil)
p Thin.encoding_index(3, nil), Thin.encoding_index(text = +"é", 0), text, text.valid_encoding?, text.ascii_only?

three = -> { {a: 1, b: 2, c: 3} }
p Thin.visited(three.()) { |_, value| value == 2 ? 2 : 0 }, Thin.visited(three.()) { 2 }, Thin.visited({}) { 9 }
p Thin.visited(three.()) { |_, value| value }, Thin.visited(three.()) { |key, _| break key }
p catch(:found) { Thin.visited(three.()) { |key, value| value == 2 ? throw(:found, key) : 0 } }
error { Thin.visited(three.()) { 9 } }
depth, order = 0, []
Thin.visited(three.()) { |key, _| order << key; (depth += 1) < 3 ? 3 : 0 }
p order, Thin.visited(table = three.()) { GC.start; 0 }, table.merge!(d: 4).size
fiber = Fiber.new { Thin.visited(three.()) { |key, _| Fiber.yield(key); 0 } }
p [fiber.resume, Thin.visited(three.()) { 2 }, fiber.resume, fiber.resume, fiber.resume, fiber.alive?]

p Thin.real(2), Thin.real(1.5), Thin.real(3r)
[Object.new, nil, "1", [], Struct.new(:to_f).new(1.0)].each { |v| error { Thin.real(v) } }

point = Thin.point_class.new
point.number = 7
p dump = Marshal.dump([point, point])
loaded = Marshal.load(dump)
p loaded.map(&:class), loaded.map(&:number), loaded[0].equal?(loaded[1]), Marshal.load(Marshal.dump(point)).number
Sub = Class.new(Thin::Point)
(sub = Sub.new).number = 8
p Marshal.dump(sub), Marshal.load(Marshal.dump(sub)).then { [it.class, it.number] }
point.number = -1
error { Marshal.dump(point) }
p Marshal.load("\x04\bo:\x10Thin::Point\x06:\f@numberi\x0e").then { [it.class, it.number] }
