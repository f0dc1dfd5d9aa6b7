# Sets and Hashes that take over all entries of another: by a copy of its table, also into a table of the same size; and
# the comparisons of Sets that call nothing. Recorded from CRuby 4.1dev.
def shown
  yield.inspect
rescue => error
  "#{error.class}: #{error.message}"
end

class Quiet < Set::CoreSet
  def initialize(*) = raise("not called")
  def add(*) = raise("not called")
end

class Key
  def initialize(name) = @name = name
  attr_reader :name
  def hash = 1
  def eql?(other) = name == other.name
end

def made
  list = (1..1000).to_a
  p Set[*list].size, Set[*list, *list].to_a == list, Quiet[1, 2, 1].size, Quiet[1].class, Set[*["a"]].first.frozen?
  p Set[Key.new(1), Key.new(2), Key.new(1)].size
  p Set.new.merge(list).size, Set.new.merge([1] * 100).to_a, Set[0].merge(list).size, Set.new.merge([]).size
  merged = Set.new
  merged.merge([3, 1, 2, *4..20]).merge(Set[1, 30])
  p merged.to_a
end

def replaced
  large, less, other = Set.new(1..1000), Set.new(501..1400), Set.new((1..990).map { |i| "s#{i}" })
  large.replace(less)
  p large == less, large.size, large.include?(1), large.include?(1400), large.first
  large << 1 << :x
  p less.size, large.size, large.to_a.last(2)
  large.replace(other)
  GC.start
  p large.to_a == other.to_a, large.include?("s990"), large.include?(501), large.replace(large).size
  large.delete("s5")
  p other.include?("s5"), large.replace([1, 2]).to_a, large.replace(Set[]).to_a
  by_identity = Set.new.compare_by_identity.merge(["a", "b"].map(&:dup))
  p large.replace(by_identity).compare_by_identity?, large.include?("a")
  puts shown { large.each { large.replace(less) } }, shown { Set[1].freeze.replace(less) }, shown { Set[].replace(3) }
end

def compared
  a, b, none = Set[1, "x", 2.0, :s, nil], Set[nil, :s, 2.0, "x", 1], Set[]
  p a == b, a.eql?(b), a <=> b, a == Set[1], a <=> Set[1], Set[1] <=> a, a <=> Set[7], a <=> Set[1, 2, 3, 4, 5], a <=> 1
  p none == Set[], none <=> Set[], none <=> a, a <=> none, none == [], a == a, Quiet[1] == Set[1], Set[1] == Quiet[1]
  p Set[Key.new(1)] == Set[Key.new(1)], Set[Key.new(1)] <=> Set[Key.new(2)], Set[Set[1]] == Set[Set[1]]
  p Set[1].compare_by_identity == Set[1], Set[].compare_by_identity == Set[], Set["a"] == Set["b"]
  p Set[:a].compare_by_identity == Set[:a].compare_by_identity
end

def by_identity
  set = Set["a", "b", 1]
  p set.compare_by_identity.equal?(set), set.include?("a".dup), set.include?(1), set.size
  set.merge(["b".dup, 1]).merge(Set[2, 1])
  p set.size, set.compare_by_identity.size
  puts shown { set.each { set.compare_by_identity }.size }, shown { Set[1].each { |x| Set[1].compare_by_identity } }
  puts shown { Set[1].freeze.compare_by_identity }
  other = Set[1]
  puts shown { other.each { other.compare_by_identity } }
end

def keywords(k7: nil, k21: nil, **rest) = [k7, k21, rest.size, rest.keys.first, rest.keys.last, rest.key?(:k7)]

def hashes
  hash = (0...40).to_h { [:"k#{_1}", _1] }
  p keywords(**hash), keywords(**{}, **hash), keywords(**hash, "s" => 1), hash.size
  copy = {**hash}
  copy[:more] = copy.delete(:k0)
  p copy.size, copy.keys.last, hash.size, hash.key?(:more)
  defaulted = Hash.new(5)
  p defaulted.merge!(hash)[:none], defaulted.size, {}.merge(hash, {k1: 2})[:k1]
  lists = (0...20).to_h { [[_1], _1] }
  lists.keys.first << 99
  p lists[[0, 99]], {**lists}[[0, 99]], {}.update(lists)[[0, 99]]
  strings = {}.merge!((0...20).to_h { ["k#{_1}", _1] })
  p strings.keys.all?(&:frozen?), strings["k19"]
  loose = {}.compare_by_identity
  hash.each { |k, v| loose[k.to_s] = v }
  p({}.merge!(loose).compare_by_identity?, {}.merge!(loose)["k1"], loose.merge({a: 1})["k1"], keywords(**loose))
  puts shown { hash.each { hash.merge!({new: 1}) } }, shown { {}.freeze.merge!(hash) }
end

[:made, :replaced, :compared, :by_identity, :hashes].each do |name|
  puts name
  send(name)
  output, $stdout = $stdout, File.open(File::NULL, "w")
  60.times { send(name) }
  $stdout = output
  send(name)
end
