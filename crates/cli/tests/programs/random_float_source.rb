# A source of random bytes is asked once for a float, and for its words one by one otherwise.
require "random/formatter"
class Source
  include Random::Formatter
  attr_reader :asked
  def initialize = @asked = []
  def bytes(n)
    @asked << n
    ("\x01".b * n)
  end
end
300.times do
  source = Source.new
  float = source.random_number
  below = source.rand(1.5)
  raise "#{source.asked}" unless source.asked == [8, 8]
  raise "#{below}" unless below == float * 1.5
end
class Short
  include Random::Formatter
  def bytes(n) = "x" * (n - 1)
end
begin
  Short.new.random_number
rescue RangeError => error
  puts error.message
end
