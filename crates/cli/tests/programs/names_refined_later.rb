# Calls where refinements are active, of names that no refinement has at first.

module Refined
  refine Integer do
    def only_refined = :refined
  end
end

using Refined

class Integer
  def size_of_it = :integer
end

class String
  def size_of_it = :string
end

# Objects of many shapes: the call site keeps no entry for each of them.
class Item
  def initialize(n) = instance_variable_set("@v#{n % 40}", n)
  def size_of_it = :item
end

def sizes(list) = list.map { |v| v.size_of_it }.uniq
def answers(list) = list.map { |v| v.respond_to?(:size_of_it) }.uniq
def refined(list) = list.map { |v| v.only_refined }.uniq

ITEMS = Array.new(80) { |n| Item.new(n) } + ["text", 1, :item.to_proc.class.name]
300.times do
  sizes(ITEMS)
  answers(ITEMS)
  refined([1, 2])
end
p sizes(ITEMS), answers(ITEMS), refined([1, 2])

# The same refinement gets the method.
module Refined
  refine Integer do
    def size_of_it = :refined_integer
  end
end
p sizes(ITEMS), answers(ITEMS)
300.times { sizes(ITEMS) }
p sizes(ITEMS)

# A refinement that is not active here has it as well.
module Elsewhere
  refine Item do
    def size_of_it = :elsewhere
  end
end
p sizes(ITEMS)
eval("using Elsewhere; p sizes(ITEMS), Item.new(1).size_of_it, 1.size_of_it")
p Item.new(1).size_of_it
