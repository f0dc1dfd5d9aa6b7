# Recorded from CRuby 3.4.11; `max` of beginless ranges from 4.0.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { ('a'..'e').step(0).class }
t { (nil..nil).step(1) }
t { (nil..nil).step("a") }
t { (nil..'a').step("a") }
t { (nil..3).step("a") }
t { (nil..3).step(2) }
t { (1..3).step("a") }
t { (1..3).step("a"){} }
t { (1..3).step(nil){} }
t { (1..3).step(nil) }
t { (1..3) % nil }
t { (1...55.6).step(18.2).to_a }
t { (1.0...55.6).step(18.2).to_a }
t { a=[];(1.0...55.6).step(18.2){|x| a<<x}; a }
t { (nil..3).max }
t { (nil...3).max }
t { (nil...3.5).max }
t { (nil..3).max(2) }
t { (nil...3).max(2) }
t { (nil..3.5).max(2) }
t { (nil..3).max{} }
t { (nil..3).minmax }
t { (nil..3).min }
t { (1..nil).min(2) }
t { (1..nil).max(2) }
t { (nil..3.5).size }
t { (0.5..3.5).size }
t { (nil..3).size }
t { (nil..nil).size }
t { ('a'..'b').size }
t { (0..2.5).reverse_each }
t { (0..2.5).reverse_each.size }
t { (0..nil).reverse_each.size }
t { (0..nil).reverse_each {} }
t { (0.5..3).reverse_each.size }
t { (nil..Time.now).include?(Time.at(0)) }
t { (Time.at(0)..).include?(Time.at(0)) }
t { (nil..nil).include?(Time.at(0)) }
t { (nil..nil).include?(3) }
t { (nil..nil).include?("a") }
t { (nil.."c").include?("a") }
t { (0.0..).bsearch{|x| x == Float::INFINITY} }
t { (0.0..Float::INFINITY).bsearch{|x| x == Float::INFINITY} }
t { (0.0...Float::INFINITY).bsearch{|x| x == Float::INFINITY} }
t { (0.0..).bsearch{|x| Float::INFINITY <=> x} }
t { (..0.0).bsearch{|x| true} }
t { (nil...0.0).bsearch{|x| true} }
t { (1..2).step(0) }
t { (1..2).step(0.0){} }
t { (Time.at(0)..Time.at(2)).step(1).to_a.size }
t { (Time.at(0)..Time.at(2)).step }
t { (Time.at(0)..Time.at(2)).step(-1).to_a.size }
t { (2..0).step(-1).to_a }
t { a=[]; (2r..0).step(-1){|x| a<<x}; a}
t { a=[]; (2..0).step(-1){|x| a<<x}; a}
class C; include Comparable; attr_reader :n; def initialize(n) = @n=n; def <=>(o) = n<=>o.n; def inspect() = "C#{n}"; end
t { (C.new(1)..C.new(3)).include?(C.new(2)) }
t { (C.new(1)..C.new(3)).count }
t { (C.new(1)..C.new(3)).size }
t { (C.new(1)..C.new(3)).reverse_each.size }
t { (C.new(1)..C.new(3)).reverse_each{} }
t { (C.new(1)..nil).size }
t { (C.new(1)..nil).each{} }
t { (C.new(1)..nil).first(1) }
t { ('a'..'c').reverse_each.size }
t { ('a'..).reverse_each.size }
t { (1.5..2).size }
t { (1..2.5).size }
t { (1..Float::INFINITY).size }
t { (1..-Float::INFINITY).size }
t { (1...Float::INFINITY).size }
t { (1..'a'.to_r).size }
t { (1r..3).size }
t { (1..3r).size }
t { (1...3r).size }
t { (1..Float::NAN) }
t { (..1).each {} }
t { (nil..nil).each {} }
t { (1..3).each_entry.to_a }
t { (1..3).step(2).inspect }
t { ((1..3) % 2).inspect }
t { (1..3).first(-1) }
t { (1..3).last(-1) }
t { (1..).last }
t { (1..).last(2) }
t { (..1).first }
t { (..1).last(2) }
t { (..1).to_a }
t { (1..).to_a }
t { (..1).count }
t { (..1).count(1) }
t { (..1).min(1) }
t { (..1).sum }
t { (1..).minmax }
t { (1.0..2.0).minmax }
t { (1.0...2.0).minmax }
t { (1...1).minmax }
t { (1..3).minmax {|a,b| b<=>a} }
t { (1..3).min {|a,b| b<=>a} }
t { (1..3).max(2) {|a,b| b<=>a} }
t { (2..1).sum }
t { (1..3).sum {|x| x*2} }
t { (1..3).sum(1.5) }
t { (1..3).pred }
t { (1..3).hash == (1..3).hash }
t { (1..3) === 2.5 }
t { ("a".."z") === "bb" }
t { ("a".."z").include?("bb") }
t { ("a".."z").include?(nil) }
t { ("a".."z").include?(:a) }
t { (:a..:e).include?(:c) }
t { (1..5).cover?(2..3) }
t { (1..5).cover?(2...6) }
t { (1..5).cover?(2...6.0) }
t { (1..5).overlap?(5..6) }
t { (1...5).overlap?(5..6) }
t { (1..5).overlap?(3) }
t { (1..).overlap?(..1) }
t { (1..).overlap?(...1) }
t { (nil..nil).overlap?(nil...nil) }
t { (1..3).inspect + (nil..nil).inspect + (1..nil).inspect + (nil..1).inspect }
t { (1..3).to_s + (nil..nil).to_s }
t { Range.new(1,2,true).frozen? }
t { Range.new(1,"a") }
t { Range.new(1) }
t { Range.new(Object.new, Object.new) }
t { (1..10).bsearch { |x| x >= 4 } }
t { (1..10).bsearch { "a" } }
t { (0..4.0).bsearch { |x| x >= 2 } }
t { (0..).bsearch { |x| x >= 2**70 } }
t { (..0).bsearch { |x| x >= -2**70 } }
t { (0..2**80).bsearch { |x| x >= 2**70 } }
t { ("a".."c").bsearch { |x| true } }
t { (1..10).bsearch }
t { (1..3).reverse_each.first }
t { (..3).reverse_each.first(2) }
t { (2**64..2**64+2).to_a }
t { (2**64..2**64+2).reverse_each.to_a }
t { (2**64...2**64+3).step(2).to_a }
t { a=[];(2**64...2**64+3).step(2){|x|a<<x};a }
t { (1.5..3).step(0.5).to_a }
t { a=[];(1.5..3).step(0.5){|x|a<<x};a }
t { a=[];(1..3).step(0.5r){|x|a<<x};a }
t { ("a".."i").step(3).to_a }
t { ("a".."abbb").step("b").to_a }
t { (:a..:i).step(3).to_a }
t { ("a"..).step(3).first(3) }
t { ([]..[1,1,1]).step([1]).to_a }
t { (Time.at(0)..Time.at(2)).step(1).map(&:to_i) }
t { (1..3).%(2).to_a }
t { (1..).step(2).first(2) }
t { (1.0..).step(2).first(2) }
t { (1.0..).step(2).size }
t { (1..3).step(2).size }
t { ("a".."c").step(2).size }
t { (1..3).step(5,3) }
t { (1..3).eql?(1..3.0) }
t { (1..3) == (1..3.0) }
t { (1..3).dup.frozen? }
t { (1..3).clone.frozen? }
class R < Range; end
t { R.new(1,2).frozen? }
t { R.new(1,2).inspect }
t { (0.0..1.0).step(0.1).to_a }
t { 1.step(2, 0.5).to_a }
t { ((1..10) % 3).to_a }
t { (1..10).step(3).last(2) }
t { (1..10).step(3).last }
t { (10..1).step(-3).to_a }
t { 10.step(1,-3).last(2) }
t { (0..).step(3).last }
t { (0..).step(3) == (0..).step(3) }
t { 1.step(by: 2, to: 5) == (1..5).step(2) }
t { 1.step(by: 2, to: 5).hash == (1..5).step(2).hash }
t { 1.step(by: -1).first(3) }
t { 1.step(by: 2, to: 5).inspect }
t { 1.step(5, by: 2) .inspect}
t { 1.step(5, 1, by: 2) }
t { 1.step(5, to: 2) }
t { 1.step(5, 0) {} }
t { 1.step(5, nil).inspect }
t { 1.step(5, "1") }
t { 1.step(5, "1"){} }
t { 1.step("5"){} }
t { 1.step("5") }
t { 1.0.step("5"){} }
t { 1.0.step(5, "1").size }
t { 1.step(nil, 2).first(2) }
t { 1.step(by: 0) }
t { 1.step(by: 0){ break } }
t { 1.step(by: "a").size }
t { 1.step(by: "a", to: 3){} }
# A step that is coerced, and a step that never reaches the end.
class Two
  def coerce(other) = [other, 2]
end
t { a = []; (1..6).step(Two.new) { |x| a << x }; a }
t { a = []; (1..6).step(-1r) { |x| a << x }; a }
t { a = []; (Time.at(0)..Time.at(2)).step(0) { |x| a << x }; a }
t { (Float::INFINITY..Float::INFINITY).step(1.0).to_a }
t { Float::INFINITY.step(Float::INFINITY, -Float::INFINITY).to_a }
t { [0, 1, 2, 3, 4, 5][(3..) % 2] }
t { [0, 1, 2, 3, 4, 5][(-3...-10) % -1] }
t { [0, 1, 2, 3, 4, 5][(-10..) % 2] }
t { [0, 1, 2, 3, 4, 5][(7..) % 2] }
t { [0, 1, 2, 3, 4, 5][(7..) % 1] }
t { [0, 1, 2, 3, 4, 5][(-1..0) % -2] }
t { [0, 1, 2, 3, 4, 5][(-1..-10) % -2] }
t { [(1..5) === (1..2), (1..5).include?(1..2), (1..5).cover?(1..2)] }
t { (1..5).step(Float::NAN) { break } }
t { (1..5).step(1i) { break :once } }
t { (1..).minmax { |a, b| break [a, b] } }
t { list = [3, "b"]; list.min }
t { [3, 1, 2].max(0) }

# The order in which `cover?` compares.
class Counted
  include Comparable
  attr_reader :n
  def initialize(n) = @n = n
  def <=>(other) = ($compared << [n, other.n] and n <=> other.n)
end
ends = [1, 5, 2, 4].map { Counted.new(_1) }
p (1..300).map { $compared = []; [(ends[0]..ends[1]).cover?(ends[2]..ends[3]), $compared] }.uniq
