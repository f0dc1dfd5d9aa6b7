# The events of calls that create objects: `X.new` without a block fires none for `new`, all other calls of it do.
class Plain; end
def trace
  seen = []
  TracePoint.new(:c_call, :c_return) { |x| seen << (x.event == :c_call ? x.method_id : :"-#{x.method_id}") }.enable { yield }
  seen
end
2.times do
  p trace { Plain.new }, trace { Set.new == Set.new([0]) }, trace { Plain.send(:new) }, trace { Plain.public_send(:new) }
  p trace { [Plain].map(&:new) }, trace { Plain.method(:new).call }, trace { Object.new }, trace { Class.new }
  p trace { Set[1, 2] }, trace { Plain.new { 1 } }, trace { Plain.new(*[]) }, trace { Set.new([1]).include?(1) }
end
module Refined
  refine Class do
    def new(...) = super
  end
end
using Refined
p trace { Plain.new }
