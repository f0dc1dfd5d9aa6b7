# Hashes with constant keys, hot: embedded, with a buffer, with an index; keys where expected, and elsewhere.
def get(h) = h[:b]
def get_number(h) = h[7]
def set(h, v) = h[:b] = v
def add(h) = h[:sum] += 1
def default(h) = h[:b] ||= "new"

def embedded = {a: 1, b: 2}
def linear = {}.tap { |h| %i[a b c].each { |k| h[k] = k.to_s } }
def indexed = {}.tap { |h| 20.times { |i| h[i] = i }; h[:b] = "b"; h[:z] = 1 }
def with_hole = {a: 1, b: 2, c: 3}.tap { |h| h.delete(:b) }
def added_again = with_hole.tap { |h| h[:b] = 9 }

ways = [embedded, linear, indexed, with_hole, added_again, {}, {b: 1}, Hash.new(5), Hash.new { |h, k| k },
        {a: 1, b: 2}.compare_by_identity, {1 => 2, b: nil}, {a: 1, b: false}]
200.times { get(embedded); set(embedded, 1); get_number({7 => 1}) }
p ways.map { |h| get(h) }
p ways.map { |h| set(h.dup, "v") }, ways.map { |h| g = h.dup; set(g, "v"); g[:b] }
p get_number(indexed), get_number({7 => :seven}), get_number({7.0 => :float}), get_number([0] * 8)

def get_linear(h) = h[:b]
def set_linear(h, v) = h[:b] = v
def get_indexed(h) = h[:b]
def set_indexed(h, v) = h[:b] = v
a, b = linear, indexed
200.times { |i| get_linear(a); set_linear(a, i); get_indexed(b); set_indexed(b, i) }
p ways.map { |h| get_linear(h) }, ways.map { |h| get_indexed(h) }
p ways.map { |h| g = h.dup; set_linear(g, [1]); g }, ways.map { |h| g = h.dup; set_indexed(g, [2]); g[:b] }
sum = {sum: 0}
300.times { add(sum) }
p sum, default({a: 1}), default({b: 1}), default({b: nil})
[embedded, linear, indexed].each do |h|
  set(h.freeze, 1)
rescue => e
  p e.class
end

# Iterations, copies, and what becomes another representation in between.
h = embedded
p h.each { |k, v| set(h, [v]) }
begin
  {a: 1, c: 2}.each { |k, v| set(ways[3], v) }
  g = {a: 1}
  g.each { set(g, 1) }
rescue => e
  p e.class, e.message
end
copy = linear
set_linear(copy.dup, :changed)
p copy
grows = embedded
30.times { |i| grows[i] = i; raise "lost" unless get(grows) == 2 }
old = linear
GC.start
GC.start
100.times { |i| set_linear(old, "young #{i}"); GC.start(full_mark: false) if i % 10 == 0 }
p get_linear(old)

class Own < Hash
  def [](key) = [:own, key]
  def []=(key, v)
    super(key, [v])
  end
end
own = Own[a: 1, b: 2]
p get(own), set(own, 3), own.fetch(:b)
class Hash
  def [](key) = :redefined
end
p get(embedded), get_linear(linear), get_indexed(indexed)
class Hash
  def []=(key, v)
    store(key, [:set, v])
  end
end
h = embedded
set(h, 1)
p h
