# What an object is an instance of, asked before and after its ancestors change, and of classes that are collected.
module First; end
module Second; end
module Nested; end
class Base; end
class Derived < Base; end

def kinds(v) = [Base, Derived, First, Second, Nested, Comparable].map { |m| v.is_a?(m) }
def of_case(v)
  case v
  when Nested then :nested
  when Second then :second
  when First then :first
  when Base then :base
  else :other
  end
end

v = Derived.new
seen = []
note = proc { seen << [kinds(v), of_case(v)] unless seen.last == [kinds(v), of_case(v)] }
100.times(&note)
Base.include(First)
100.times(&note)
v.extend(Second)
100.times(&note)
First.include(Nested)
100.times(&note)
class Derived
  prepend Comparable
end
100.times(&note)
seen.each { |line| p line }

made = 0
20.times do
  classes = Array.new(50) { |i| i.even? ? Class.new(Base) : Class.new }
  made += classes.count { |c| c.new.is_a?(First) } + classes.count { |c| First === c.new }
  classes = nil
  GC.start
end
p made
