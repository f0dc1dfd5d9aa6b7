# A simple key makes a table grow that holds keys which Ruby hashes.
Point = Struct.new(:x)
class Own
  attr_reader :n
  def initialize(n) = @n = n
  def hash = [n, :own].hash
  def eql?(other) = other.is_a?(Own) && n == other.n
end
KEYS = [-> { [1] }, -> { 1..2 }, -> { 3r }, -> { Point.new(1) }, -> { Own.new(1) }, -> { Time.at(0) }, -> { /a/ },
        -> { Class.new(String).new("s") }, -> { { a: [1] } }, -> { Complex(1, 2) }]
SIMPLE = [->(i) { i }, ->(i) { :"s#{i}" }, ->(i) { "s#{i}" }, ->(i) { i + 0.5 }, ->(i) { 2**70 + i }]

def filled(key, simple)
  h = {}
  h[key.call] = :found
  20.times { |i| h[simple.call(i)] = i }
  h
end

def rest(**rest) = rest
def rest_but(s1: 0, **rest) = rest

wrong = []
20.times do
  KEYS.each_with_index do |key, k|
    SIMPLE.each_with_index do |simple, s|
      h = filled(key, simple)
      set = Set.new([key.call])
      20.times { |i| set << simple.call(i) }
      again = { key.call => :found }.merge!((0..9).to_h { |i| [simple.call(i), i] })
      stored = { key.call => :found }
      10.times { |i| stored.store(simple.call(i), i) }
      fetched = Hash.new { |hash, name| hash[name] = name }
      fetched[key.call]
      10.times { |i| fetched[simple.call(i)] }
      all = [h[key.call], h.size == 21, set.include?(key.call), again[key.call]]
      all.push(stored.key?(key.call), fetched.size == 11, h.delete(key.call), h.size)
      wrong << [k, s, all] unless all == [:found, true, true, :found, true, true, :found, 20]
    end
    names = (0..9).to_h { |i| [:"s#{i}", i] }
    given = rest_but(**{ key.call => :found }, **names)
    wrong << [k, given] unless given[key.call] == :found && given.size == 10
    given = rest(**{ key.call => :found }, s0: 0, s1: 1, s2: 2, s3: 3, s4: 4, s5: 5, s6: 6, s7: 7, s8: 8)
    wrong << [k, given] unless given[key.call] == :found && given.size == 10
  end
end
p wrong.uniq
