# Where attributes are defined, the Procs of symbols, keys that patterns ask for, constants that must be shareable,
# refinements of a binding.
class Point
  attr_reader :x
  attr_accessor :y,
                :z
  class << self
    attr_writer :w
  end
end
class Place < Point
  alias other x
end
p %i[x y y= z].map { |name| Point.instance_method(name).source_location[1] }
p Point.method(:w=).source_location[1], Place.instance_method(:other).source_location[1]
point = Point.new
class << point
  attr_reader :own
end
p point.clone.method(:own).source_location[1], point.dup.respond_to?(:own), Point.dup.instance_method(:x).source_location[1]

def given(&block) = block
p given(&:upcase).call("a"), given(&:upcase).dup.call("b")
module Loud
  refine(String) { def upcase = "refined" }
end
using Loud
p %w[a].map(&:upcase), given(&:upcase).call("a")

class Asked
  attr_reader :keys
  def deconstruct_keys(keys)
    @keys = keys
    {a: 0, b: 1}
  end
end
asked = Asked.new
case asked
in {a: 0, b:} then p asked.keys
end
case asked
in {a: 0, **} then p asked.keys
end
case asked
in {**} then p asked.keys
end
case asked
in {a: 0, **rest} then p asked.keys, rest
end
[:nope, "nope", nil].each do |value|
  case value
  in 1 then 1
  in 2 then 2
  end
rescue NoMatchingPatternError => error
  p error.message
end

# shareable_constant_value: literal
begin
  ::Shared ||= ["not " + "shareable"]
rescue Ractor::IsolationError => error
  p error.message
end
begin
  Point::Shared ||= ["not " + "shareable"]
rescue Ractor::IsolationError => error
  p error.message
end
::Literal ||= [["a"], {b: "c"}]
p Ractor.shareable?(::Literal)
# shareable_constant_value: none

module Counts
  refine(Integer) { def counted = self + 1 }
end
kept = binding
kept.eval("using Counts")
p kept.eval("3.counted"), kept.eval("Module.used_modules").sort_by(&:name)
p eval("\xEF\xBB\xBF__ENCODING__".b)

p ->((a, b), c = b) { [a, b, c] }.([1, 2]), proc { |a = 1, (b, c), d: b| [a, b, c, d] }.call([[2, 3]])
def destructured((a, b), c = [a, b], k: a) = [c, k, a, b]
p destructured([1, 2])
p (1r..3r).step(1/3r), 1.step(by: 2r), Enumerator.produce(1, &:succ).inspect[/Producer/], Enumerator.produce(1, &:succ).take(3)
