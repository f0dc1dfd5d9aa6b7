# Few elements are compared by `eql?` alone. The output was recorded from CRuby 4.1dev.
class Plain
  def hash = raise("asked for its hash")
end

class Same
  attr_reader :number
  def initialize(number) = @number = number
  def eql?(other) = number == other.number
  def hash = object_id
end

one, other = Plain.new, Plain.new
a, b = [one], [other]
p (a | b).size, a.union(b, a).size, (a & b).size, a.intersection(b).size, a.intersect?(b), a.uniq.size, (a - b).size
p (a * 8 | b * 8).size
[-> { a * 9 | b * 8 }, -> { a.union(b * 16) }, -> { a.intersect?(b * 17) }, -> { (a * 2).uniq }].each do |many|
  many.call
  puts "no hash"
rescue => e
  puts e.message
end
same = [Same.new(1), Same.new(2), Same.new(1)]
p (same | same).map(&:number), same.union.map(&:number), same.intersection(same).map(&:number)
p ["a", "b"] | ["b", "c"], [1, 2.0] | [2, 1.0], [[1], "x"].union([[1]], ["x", nil]), ["b"].intersect?(["a", "b"])
