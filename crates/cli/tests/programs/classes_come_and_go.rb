# Unreferenced classes, singleton classes and modules are collected; the others keep working, with caches filled by code
# that used the collected ones. Recorded from CRuby 3.4, except for the counts, which only say that most were collected.
class Base
  def greet = "base"
  def initialize = @a = 1
end

def meet(o) = o.greet

3.times do |round|
  300.times do |i|
    c = Class.new(Base) { define_method(:greet) { i } }
    raise "wrong method" unless meet(c.new) == i
    o = Base.new
    def o.greet = @a
    raise "wrong singleton method" unless meet(o) == 1
    o.instance_variable_set(:@b, i)
    m = Module.new { include Comparable }
    o.extend(m)
    raise "wrong variable" unless o.instance_variable_get(:@b) == i
  end
  GC.start
  p Base.subclasses.size < 100, meet(Base.new)
end

kept = Class.new(Base) { def greet = "kept" }
object = kept.new
kept_id = kept.object_id
kept = nil
GC.start
p meet(object), object.class.object_id == kept_id, Base.subclasses.include?(object.class)

finalized = []
note = proc { finalized << :done }
make = lambda do
  c = Class.new(Base) { def greet = "gone" }
  o = c.new
  ObjectSpace.define_finalizer(o, note)
  nil
end
20.times { make.call }
GC.start
3.times { GC.start }
p finalized.size > 0
GC.compact
p meet(object)
