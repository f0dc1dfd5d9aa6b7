# A constant in `class << B` is looked for in the singleton class and its ancestors, not in B; names with invalid bytes
# are refused.
class B
  K = 1

  class << self
    def inside = K
  end
end

class << B
  X = 2
  def outside = K
  def own = X
  def through_self = self::K
  def in_block = [1].map { K }[0]
end

class << Class.new(B)
  def outside = K
  OF_SUBCLASS = self
end

object = B.new
class << object
  def of_instance = K
end

def outcome
  yield
rescue NameError, EncodingError => error
  error.message
end

module Extended
  def from_module = outcome { K }
end
B.extend(Extended)

found = lambda do
  [
    B.inside, outcome { B.outside }, B.own, B.through_self, outcome { B.in_block }, B.from_module, object.of_instance,
    outcome { B.singleton_class.const_get(:K) }, B.singleton_class.const_defined?(:K)
  ]
end

BROKEN = "A\xff"
broken = lambda do
  [
    outcome { Object.const_set(BROKEN, 1) }, outcome { Object.const_get(BROKEN) }, outcome { 1.send(BROKEN) },
    outcome { 1.respond_to?(BROKEN) }, outcome { Class.new { define_method(BROKEN) {} } },
    outcome { Object.new.instance_variable_set("@\xff", 1) }, outcome { [1].inject(BROKEN) }
  ]
end

cold = [found.(), broken.()]
cold.each { |part| puts part.map(&:inspect) }
300.times { |i| abort "round #{i}" unless [found.(), broken.()] == cold }
