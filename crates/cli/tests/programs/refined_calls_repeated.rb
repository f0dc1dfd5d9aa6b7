# Calls of refined methods at places that have made them before, when something changes.
def tell(name) = puts("#{name}: #{begin; yield.inspect; rescue StandardError => e; "#{e.class}: #{e.message}"; end}")

module Doubling
  refine(Integer) do
    def twice = self * 2
    def even? = :refined
    private def hidden = :hidden
  end
  refine(Array) { def sole = self[0] }
  refine(Comparable) { def compared = [:compared, self] }
end

module User
  using Doubling

  def self.run(values) = values.map { |v| v.twice }
  def self.even(v) = v.even?
  def self.sole(list) = list.sole
  def self.compared(v) = v.compared
  def self.hidden(v) = v.hidden
  def self.sum(n)
    sum = i = 0
    sum += (i += 1).twice while i < n
    sum
  end
end

tell(:first) { [User.run([1, 2]), User.even(3), User.sole([4, 5]), User.compared("a")] }
tell(:loop) { User.sum(1000) }
tell(:private) { User.hidden(1) }
tell(:missing) { User.run([:a]) }
tell(:outside) { [1.even?, 1.respond_to?(:twice)] }

module Doubling
  refine(Integer) { def twice = [self, self] }
end
tell(:defined_again) { [User.run([1, 2]), User.run([3])] }

class Symbol
  def twice = :own
end
tell(:of_a_class) { User.run([:a, 1]) }

class String
  def compared = :of_string
end
tell(:before_the_module) { [User.compared("a"), User.compared(2)] }
class String
  remove_method :compared
end
tell(:again) { User.compared("a") }

module Doubling
  refine(Integer) { remove_method :twice }
end
tell(:removed) { User.run([1]) }
tell(:removed_in_a_loop) { User.sum(10) }

# Receivers of many classes at one place, with singleton methods.
module Naming
  refine(Object) { def kind = "refined #{self.class}" }
end
module Names
  using Naming
  def self.of(v) = v.kind
end
special = Object.new
def special.kind = :special
values = [1, "a", :b, nil, 2.5, [], {}, 1..2, special, Object.new]
tell(:kinds) { 3.times.map { values.map { |v| Names.of(v) } }.uniq }
GC.start
tell(:kinds_after_gc) { values.map { |v| Names.of(v) } }
