# Within `refine`, the methods of the refined class count as the refinement's, after its own.

class Base
  def of_base = 1
  private def secret_of_base = 1
end

class Refined < Base
  def of_refined = 1
end

module Refinements
  refine(Refined) do
    def added = 1
    def of_base = 2
    private def secret = 1
    $class = self
  end
  refine(Comparable) do
    def added = 1
    $module = self
  end
end

2.times do
  r = $class
  p r.instance_methods(false).sort, (r.instance_methods - Refined.instance_methods), Refined.instance_methods - r.instance_methods
  p r.private_instance_methods(false), r.private_instance_methods.include?(:secret_of_base)
  p r.method_defined?(:of_refined), r.method_defined?(:of_refined, false), r.public_method_defined?(:of_base)
  p r.private_method_defined?(:secret_of_base), r.method_defined?(:nothing)
  p r.instance_method(:of_refined).owner, r.instance_method(:of_base).owner == r, r.public_instance_method(:of_refined).name
  p $module.method_defined?(:clamp), $module.instance_method(:clamp).owner
  begin
    r.instance_method(:nothing)
  rescue NameError => error
    puts error.message.sub(/@.*/, "")
  end
end
