# Objects that compiled code does not allocate: they appear where something looks at them.
class Point
  attr_accessor :x, :y
  def initialize(x, y)
    @x = x
    @y = y
  end
  def +(other) = Point.new(@x + other.x, @y + other.y)
  def *(by) = Point.new(@x * by, @y * by)
  def dot(other) = @x * other.x + @y * other.y
  def ==(other) = other.is_a?(Point) && @x == other.x && @y == other.y
  def swap! = (@x, @y = @y, @x; self)
end

class Line
  attr_reader :from, :to
  def initialize(from, to)
    @from = from
    @to = to
  end
  def sum = @from + @to
end

class Part
  attr_accessor :whole, :part
  def initialize(whole) = @whole = whole
end

class Growing
  def initialize(n)
    @a = n
    @b = n + 1 if n.odd?
  end
  def values = [@a, @b, defined?(@b)]
end

class Many
  def initialize(n)
    @a = n; @b = n; @c = n; @d = n; @e = n; @f = n; @g = n; @h = n; @i = n; @j = n
  end
  def sum = @a + @b + @c + @d + @e + @f + @g + @h + @i + @j
end

KEPT = []

def sums(n)
  sum = 0.0
  a = Point.new(1.0, 2.0)
  n.times { |i| sum += ((a + Point.new(i.to_f, 0.5)) * 0.5).dot(a) }
  sum
end

def integers_that_overflow(n)
  point = Point.new(2**61, 1)
  result = nil
  n.times { |i| result = point + Point.new(i * 2**57, i) }
  [result.x, result.y]
end

# The same object in two variables, one of which changes it.
def aliased(n)
  sum = 0
  n.times do |i|
    a = Point.new(i, 1)
    b = a
    b.x += 10
    a.swap!
    sum += a.y * 2 + b.x
    KEPT << a if i == n - 1
    KEPT << b if i == n - 1
  end
  sum
end

# On one path only the object is passed on.
def escaping_on_one_path(n)
  sum = 0
  n.times do |i|
    a = Point.new(i, i + 1)
    b = a
    KEPT << a if i % 1000 == 999
    b.x = 7
    sum += a.x + b.y
    sum += 1 if i % 1000 == 999 && KEPT.last.equal?(b)
  end
  sum
end

def nested(n)
  sum = 0
  n.times do |i|
    line = Line.new(Point.new(i, 1), Point.new(2, i))
    from = line.from
    from.y = 5
    sum += line.sum.x + line.from.y
    KEPT << line << from if i == n - 1
  end
  sum
end

def of_itself(n)
  whole = nil
  n.times do |i|
    whole = Part.new(nil)
    part = Part.new(whole)
    whole.part = part
    part.part = whole
    whole.whole = whole
  end
  whole.part.whole.equal?(whole) && whole.part.part.part.part.equal?(whole) && whole.whole.equal?(whole)
end

def of_two_shapes(n)
  last = nil
  n.times { |i| last = Growing.new(i).values }
  last
end

def of_many_variables(n)
  sum = 0
  n.times { |i| sum += Many.new(i).sum }
  sum
end

def raising(n)
  n.times do |i|
    a = Point.new(i, 1)
    b = a + Point.new(1, i == n - 1 ? nil : 1)
    b.x
  end
rescue TypeError => e
  e.message
end

def in_a_loop(n)
  i = 0
  a = Point.new(0, 0)
  while i < n
    a += Point.new(1, i)
    i += 1
  end
  [a.x, a.y]
end

def compared(n)
  count = 0
  n.times do |i|
    a = Point.new(i, 2)
    count += 1 if a == Point.new(i, 2)
    count += 1 if a.equal?(a)
    count += 1 if a.equal?(Point.new(i, 2))
    count += 1 if a.frozen?
    count += 1 if a.nil? || !a
    count += 1 if a.instance_variable_get(:@x) == i
    count += 1 if a.instance_variables == [:@x, :@y]
  end
  count
end

def seen_by_a_binding(n)
  last = nil
  n.times do |i|
    a = Point.new(i, 3)
    b = a * 2
    last = binding if i == n - 1
    a.x + b.x
  end
  [last.local_variable_get(:a).x, last.local_variable_get(:b).y]
end

def frozen(n)
  n.times do |i|
    a = Point.new(i, 3)
    a.freeze if i == n - 1
    a.x = 1
  end
rescue FrozenError => e
  e.message[/can't modify frozen Point/]
end

def chosen(n)
  sum = 0
  n.times do |i|
    a = i.even? ? Point.new(i, 1) : Point.new(2, i)
    b = i % 3 == 0 ? a : Point.new(5, 6)
    sum += a.x + b.y
    b.x += 1
    sum += a.x
  end
  sum
end

def returned_early(n)
  sum = 0
  find = ->(i) { return Point.new(i, 0) if i % 2 == 0; Point.new(0, i) }
  n.times { |i| sum += find.(i).x }
  sum
end

2.times do
  p sums(3000)
  p integers_that_overflow(3000)
  p aliased(3000)
  p KEPT.pop.equal?(KEPT.pop)
  p escaping_on_one_path(3000)
  p KEPT.map { |a| [a.x, a.y] }
  KEPT.clear
  p nested(3000)
  p KEPT[0].from.equal?(KEPT[1])
  KEPT.clear
  p of_itself(3000)
  p of_two_shapes(3000)
  p of_many_variables(3000)
  p raising(3000)
  p in_a_loop(3000)
  p compared(3000)
  p seen_by_a_binding(3000)
  p frozen(3000)
  p chosen(3000)
  p returned_early(3000)
end

# A redefined `initialize`, and a class that gets one.
class Point
  def initialize(x, y)
    @y = y
    @x = x * 2
  end
end
p sums(3000)
class Point
  def self.new(*) = super.tap { |point| point.x = 1.0 }
end
p sums(3000)

# Each object is allocated while allocations are traced.
require "objspace"
class Counted
  def initialize(n) = @n = n
  attr_reader :n
end
def made(n) = n.times.sum { |i| Counted.new(i).n }
made(3000)
sites = ObjectSpace.trace_object_allocations do
  a = Counted.new(1)
  made(3)
  ObjectSpace.allocation_sourceline(a)
end
p sites == __LINE__ - 4

def pair(a) = [a, a + 1]
def pairs(n)
  sum = 0
  n.times { |i| a, b = pair(i); sum += a * b }
  sum
end

def swapped(n)
  a, b = 1, 2
  n.times { a, b = b, a + b & 0xffff }
  [a, b]
end

def with_a_rest(n)
  last = nil
  n.times do |i|
    a, *b, c = [i, 1, 2, 3]
    d, (e, *f), g = pair(i), [[i, 2], 3], 4
    h, *j, k, l = [i]
    last = [a, b, c, d, e, f, g, h, j, k, l]
  end
  last
end

def elements(n)
  sum = 0
  n.times do |i|
    list = [i, 2, 3.5]
    sum += list[0] + list[-1] + list.length
    sum += 1 if list[7].nil? && !list.empty? && [].empty?
    list[1] = i
    sum += list[1]
  end
  sum
end

def pairs_to_a_block(n)
  sum = 0
  each_pair = ->(i, &block) { block.([i, i + 1]) }
  n.times { |i| [i, 3].then { |a, b| sum += a * b } }
  n.times { |i| each_pair.(i) { |a, b| sum += b } }
  yielding(n) { |a, b| sum += a - b }
  sum
end

def yielding(n) = n.times { |i| yield [i, 5] }

def array_kept(n)
  n.times do |i|
    list = [i, [i, i]]
    same = list[1]
    same << 5 if i == n - 1
    KEPT << list << same if i == n - 1
  end
  KEPT.shift[1].equal?(KEPT[0]) && KEPT.pop
end

def keywords(n)
  sum = 0.0
  n.times { |i| sum += scaled(by: 0.5, of: Point.new(i, 1)) + scaled(of: Point.new(2, i)) }
  sum
end

def scaled(of:, by: 2.0) = of.x * by

2.times do
  p pairs(3000), swapped(3000), with_a_rest(3000), elements(3000), pairs_to_a_block(3000), array_kept(3000)
  p keywords(3000)
end

class Proxy
  def initialize(target) = @target = target
  def call(*args) = @target.run(*args)
  def forward(name, *args) = @target.send(name, *args)
  def method_missing(name, *args) = args.empty? ? @target.send(name) : @target.send(name, *args)
  def respond_to_missing?(*) = true
end
class Target
  def run(a, b = 2, *c) = a + b + c.length
  def two(a, b) = a * b
  def none = 1
  def last(*list) = list[-1]
  def options(*list, **options) = [list, options]
end

def forwarded(n)
  proxy = Proxy.new(Target.new)
  sum = 0
  n.times do |i|
    sum += proxy.call(i) + proxy.call(i, 1) + proxy.call(i, 1, 2, 3)
    sum += proxy.forward(:two, i, 3) + proxy.two(i, 2) + proxy.none + proxy.last(1, 2, i)
  end
  sum
end

def with_options(n)
  proxy = Proxy.new(Target.new)
  last = nil
  n.times { |i| last = [proxy.options(i, { a: 1 }), proxy.options(i, 2)] }
  last
end

def matched(n)
  counts = Hash.new(0)
  n.times do |i|
    case [i % 3, i % 5]
    in [0, 0] then counts[:both] += 1
    in [0, Integer => b] if b > 3 then counts[:big] += 1
    in [a, 1 | 2] then counts[a] += 1
    in [_, *] then counts[:other] += 1
    end
    case pair(i)
    in [Integer => a, b] then counts[:sum] += b - a
    end
  end
  counts
end

2.times do
  p forwarded(3000), with_options(3000), matched(3000)
end
