# Objects with a few instance variables: allocated, read and dropped.
require_relative "harness"

class Point
  attr_reader :x, :y

  def initialize(x, y)
    @x = x
    @y = y
  end

  def +(other) = Point.new(@x + other.x, @y + other.y)
end

measure([200_000, 400_000], rounds: 12) do
  sum = Point.new(0, 0)
  step = Point.new(1, 2)
  200_000.times { sum += step }
  [sum.x, sum.y]
end
