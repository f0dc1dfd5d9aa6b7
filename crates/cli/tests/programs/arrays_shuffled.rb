# Array#shuffle with seeded generators: short Arrays are moved to places that were drawn before.
[0, 1, 2, 5, 63, 64, 65, 100].each do |length|
  random, list = Random.new(42), (0...length).to_a
  p list.shuffle(random: Random.new(7)).first(8), list.shuffle(random: random).sum, random.rand(1000)
  p list.dup.shuffle!(random: random).last(4), random.rand(1000), list.sample(random: random)
  srand(3)
  p list.shuffle.first(5), rand(100), list == (0...length).to_a
end
highest = Object.new
def highest.rand(limit) = limit - 1
wrong = Object.new
def wrong.rand(limit) = limit
p [1, 2, 3, 4].shuffle(random: highest), [3, 4].sample(random: highest), ([1, 2].shuffle(random: wrong) rescue $!)
p ([1].freeze.shuffle! rescue $!.class), Class.new(Array).new([1, 2, 3]).shuffle(random: Random.new(1)).class
