# Random numbers and samples from a seed: recorded from CRuby 3.4.11.
(0..18).each { |count| p [*0...20].sample(count, random: Random.new(42)) }
p [1, 2, 3].sample(2, random: Random.new(42)), [1, 2, 3].sample(9, random: Random.new(3)), [].sample(2)
p [*0...3000].sample(5, random: Random.new(1)), [*0...3000].sample(20, random: Random.new(1))

class Shrinking
  def initialize(list) = @list = list
  def rand(_) = @list.clear && 0
end
list = [1, 2, 3]
p list.sample(2, random: Shrinking.new(list))
