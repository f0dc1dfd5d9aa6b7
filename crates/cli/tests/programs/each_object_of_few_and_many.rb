# ObjectSpace.each_object finds few objects and many, whatever the block does.
class Few; end
class Many; end
class Child < Many; end
module Marked; end

few = Array.new(3) { Few.new }
many = Array.new(1500) { |i| i.odd? ? Many.new : Child.new }
marked = many.first(600).each { |object| object.extend(Marked) }

def found(kind) = ObjectSpace.each_object(kind).map(&:object_id).sort

p found(Few) == few.map(&:object_id).sort
p found(Many) == many.map(&:object_id).sort
p found(Child) == many.grep(Child).map(&:object_id).sort
p found(Marked) == marked.map(&:object_id).sort
p ObjectSpace.each_object(Many.singleton_class).to_a.reject(&:singleton_class?).sort_by(&:name)
p ObjectSpace.each_object(Few) { |object| GC.start; Array.new(1000) { object.inspect } }
seen = 0
p ObjectSpace.each_object(Many) { |object| (seen += 1) % 500 == 0 and GC.start }
p ObjectSpace.each_object(Many) { break :found }
p ObjectSpace.each_object(Class).first(3).all?(Class)
p 200.times.map { ObjectSpace.each_object(Few).count }.uniq
begin
  ObjectSpace.each_object(Many) { raise "stopped" }
rescue => error
  p error
end
p marked.size
