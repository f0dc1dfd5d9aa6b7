# Patterns look into Arrays and Hashes in compiled code, until the methods that they ask are replaced.
def shape(value)
  case value
  in [] then :empty
  in [x, [y, *]] then [x, y]
  in [Integer => x, *rest] if x > 8 then rest
  in [*, Symbol => last] then last
  in {kind: :round, r:} then r
  in {kind: :edged, sides: [first, *]} then first
  in {kind:, **nil} then kind
  in Integer | nil then :plain
  else :other
  end
end

class Listed < Array
  def deconstruct = [1, [2]]
end

class Keyed < Hash
  def key?(key) = true
  def [](key) = key == :kind ? :round : 7
end

class Silent
  def respond_to?(*) = false
  def deconstruct = raise
  def deconstruct_keys(*) = raise
end

VALUES = [
  [], [1, [2, 3]], [9, 8, 7], [1, :z], [1, 2, 3],
  {kind: :round, r: 2}, {r: 3, kind: :round}, {kind: :edged, sides: [4, 5]}, {kind: :edged, sides: []},
  Hash.new { :round }, Hash.new(:round).merge(kind: :round), {1 => 2}, {1 => 2}.compare_by_identity,
  (1..20).to_h { [_1, _1] }.merge(kind: :round, r: 21),
  Listed[5], Keyed[], Silent.new, 1, nil, :symbol, "string", Struct.new(:kind, :r).new(:round, 6), [1, [2]].freeze,
]

def all = VALUES.map { shape(_1) }

first = all
p first
300.times { all == first or raise }

class Array
  alias plain deconstruct
  def deconstruct = size == 2 ? [] : plain
end
p all == first, all[1]
Array.alias_method :deconstruct, :plain
p all == first

class Hash
  def deconstruct_keys(keys) = {kind: :round, r: keys.size}
end
p all[5], all[7]
Hash.remove_method :deconstruct_keys
p all[5]

class Hash
  def deconstruct_keys(keys) = self
end
100.times { all == first or raise }

class Array
  def respond_to?(name, *) = name != :deconstruct && super
end
p all[1]
Array.remove_method :respond_to?
p all == first

module Reversed
  refine Array do
    def deconstruct = reverse
  end
end
using Reversed
def refined(list) = (list in [1, *])
p Array.new(200) { refined([2, 1]) }.uniq
