# Appends to Arrays that began with one element, whose cells have no room for the words of a buffer, in hot code.
def fill(list, n) = (i=0; while i < n; list.push(i); list << i; i += 1; end)
a = []
30.times { |k| l = [k]; fill(l, 50); a << l.sum }
p a.last(3)
l = [1]; fill(l, 1000); l.freeze
begin; fill(l, 1); rescue => e; p e.class; end
p l.size
m = l.dup; fill(m, 10); p m.size, l.size
o = [Object.new]; GC.start; GC.start
def objs(l, n) = n.times { |i| l << "x#{i}" }
objs(o, 3000); GC.start; p o.last, o.size, o[1..].map(&:size).sum
