# A refinement has the refined class and its ancestors above it; `ancestors` lists those of a module only.
module Marked
end
class Plain
  prepend Marked
end
module Refining
  ENUMERABLE = refine(Enumerable) { }
  STRING = refine(String) { }
  PLAIN = refine(Plain) { }
end
[[Refining::ENUMERABLE, Enumerable], [Refining::STRING, String], [Refining::PLAIN, Plain]].each do |refinement, refined|
  p refinement.ancestors, refinement.included_modules
  p refinement < refined, refined > refinement, refinement <= refined, refinement >= refined, refined < refinement
  p refinement <=> refined, refined <=> refinement, refinement <=> refinement, refinement == refined
  p refinement < Object, refinement <=> BasicObject, refinement <=> Array, refinement < Comparable
  p [Kernel, Comparable, Enumerable, Marked].map { |mod| refinement.include?(mod) }
  p refinement === "a", refinement.target
end
