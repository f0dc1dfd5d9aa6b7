# Instances of Struct and Data classes that compiled code creates.
Pair = Struct.new(:a, :b) do
  def sum = a + b
end
Named = Struct.new(:a, :b, keyword_init: true)
Free = Struct.new(:a, :b, keyword_init: false)
class Sub < Struct.new(:a, :b)
  attr_accessor :extra
  def twice = [a, b, extra]
end
class Own < Struct.new(:a, :b)
  def initialize(a) = super(a, a + 1)
end
Point = Data.define(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
end
Checked = Data.define(:x) do
  def initialize(x:) = super(x: Integer(x))
end

def structs(n)
  sum = 0
  n.times do |i|
    pair = Pair.new(i, 2)
    pair.b += 3
    sum += pair.sum + Pair.new(i).a + Pair[i, 1].b
    sum += 1 if Pair.new(i, 1) == Pair.new(i, 1)
    sum += 1 if Pair.new(i).b.nil?
  end
  sum
end

def others(n)
  sum = 0
  last = nil
  n.times do |i|
    sub = Sub.new(i, 1)
    sub.extra = i
    sum += sub.twice.sum + Own.new(i).b + Named.new(a: i, b: 1).a + Named.new(b: i).b
    last = [Pair.new(a: 1, b: i), Free.new(a: 1), Free.new({ a: i }), Pair.new({ a: i }), Named.new({ a: i })]
  end
  [sum, last]
end

def data(n)
  sum = 0
  point = Point.new(0, 0)
  n.times do |i|
    point += Point.new(i, 1)
    sum += Point.new(x: i, y: 2).y + Point.new(y: i, x: 3).y + Checked.new(i.to_s).x + Point.new(i, 1).with(y: 5).y
    sum += 1 if Point.new(i, 1).frozen? && Point.new(i, 1).eql?(Point.new(i, 1))
  end
  [sum, point]
end

def message(n, last)
  n.times { |i| yield i == n - 1 ? last : 1 }
  :none
rescue => e
  [e.class, e.message]
end

def wrong(n)
  args = ->(i) { i == 1 ? [1, 2] : [1, 2, 3] }
  [
    message(n, 2) { |i| Point.new(i, 1).instance_variable_set(:@x, 1) },
    message(n, 2) { |i| Pair.new(*args.(i)) },
    message(n, 2) { |i| Point.new(*args.(i)) },
    message(n, 2) { |i| Point.new(1) },
    message(n, 2) { |i| Point.new(x: 1) },
    message(n, 2) { |i| Point.new(x: 1, z: 1) },
    message(n, 2) { |i| Named.new(a: 1, c: 1) },
    message(n, 2) { |i| Named.new(1) },
    message(n, 2) { |i| Pair.new(i == 2 ? 1 : 2).freeze.a = 5 },
    message(n, 2) { |i| Pair.new(i).c },
  ]
end

def of_several_classes(n)
  classes = [Pair, Sub, Named, Free, Point, Struct.new(:a, :b), Struct.new(:q, :r)]
  n.times.sum do |i|
    of = classes[i % 7]
    (of == Named ? of.new(a: i, b: 1) : of.new(i, 1)).to_a.sum rescue of.new(i, 1).x
  end
end

2.times do
  p structs(3000)
  p others(3000)
  p data(3000)
  p wrong(500)
  p of_several_classes(3500)
end

class Pair
  def initialize(a, b = 0) = super(a * 2, b)
end
p structs(3000)
class Point
  def initialize(x:, y:) = super(x: x + 1, y: y)
end
p data(3000)
