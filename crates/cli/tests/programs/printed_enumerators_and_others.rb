# How Enumerators are printed, and results of a few other calls. Expectations: CRuby 4.1dev.
require "date"

enumerators = [
  [1].map, [1].lazy, 1.step(3, 1), Enumerator::Chain.new([1]), Enumerator::Product.new([1])
]
enumerators.each { |enumerator| puts enumerator.to_s.sub(/0x\h+/, "0x…") }

class Made
  def self.make = new
end
p Made.private_class_method(:make), Made.public_class_method(:make), Made.private_class_method

Point = Struct.new(:x, :y, keyword_init: true)
p Point.new({"x" => 1, y: 2}), Point.new("y" => 3)
begin
  Point.new("z" => 1)
rescue ArgumentError => error
  puts error.message
end

puts Date.new(2024, 3, 31).prev_month(1.5), Date.new(2020, 1, 1) << 1.5, Date.new(2024, 1, 31) >> 1r
p Enumerator::Yielder.instance_methods(false).sort
