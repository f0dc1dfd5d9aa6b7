# The parts of a class that most classes lack: made when needed, copied, emptied, and asked for when there are none.
class Plain; end
p Plain.constants, Plain.class_variables, Plain.singleton_class.constants(false)
p Plain.singleton_class.const_defined?(:String), Plain.const_defined?(:Nothing)
begin
  Plain.send(:remove_const, :NOTHING)
rescue NameError => error
  puts error.message
end
begin
  Plain.remove_class_variable(:@@nothing)
rescue NameError => error
  puts error.message
end
Plain.private_constant rescue p $!.class

class << Plain
  ALONE = 1
end
p Plain.singleton_class.constants(false), Plain.singleton_class::ALONE
p Plain.clone.singleton_class.const_get(:ALONE)

class Full
  ONE = 1
  TWO = 2
  @@first = 1
  def self.first = @@first
end
copy = Full.dup
p copy.constants, copy.class_variables, copy.first
copy.send(:remove_const, :ONE)
copy.remove_class_variable(:@@first)
p copy.constants, copy.class_variables, Full.constants, Full.class_variables

module Included; end
includers = Array.new(3) { Class.new { include Included } }
Included.include(Module.new { def late = :late })
p includers.map { |includer| includer.include?(Included) && includer.new.respond_to?(:late) }
includers.each { |includer| includer.include(Comparable, Enumerable, Kernel) }
p includers.map { |includer| includer.ancestors.drop(1).first(3) }.uniq

module Refining
  refine Plain do
    def refined = :refined
  end
end
using Refining
p Plain.new.refined, Refining.refinements.map(&:target), Plain.refinements rescue p $!.class

class Above
  def call(x) = x
end
class Below < Above
  def call(x) = super + 1
end
below = Below.new
p Array.new(3) { below.call(1) }
Above.class_eval { def call(x) = x * 10 }
p Array.new(3) { below.call(1) }
p 3.times.map { Object.const_defined?(:Plain) && !Object.const_defined?(:Missing) }
begin
  Object.const_defined?(:lower)
rescue NameError => error
  puts error.message
end
p((2**64).to_s, (-10**36).to_s, (2**512 - 1).to_s.size, (10**54 + 7).to_s)
