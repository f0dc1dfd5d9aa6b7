# A copy has the finalizers of its original.
class Watched; end
finalizer = proc { puts "finalized" }
[Watched.new, [1], {a: 1}, +"text"].each do |original|
  ObjectSpace.define_finalizer(original, finalizer)
  ($copies ||= []) << original.dup << original.clone
  ObjectSpace.undefine_finalizer(original)
end
ObjectSpace.undefine_finalizer($copies.last)
puts "end"
