# Names created at run time stay valid across collections.
class Thing
end

def name(prefix, number) = :"#{prefix}#{number}_made"

thing = Thing.new
3.times do |i|
  Thing.const_set(name("C", i), i)
  Thing.class_variable_set(name("@@c", i), i)
  Thing.define_method(name("m", i)) { i }
  Thing.attr_accessor(name("a", i))
  thing.instance_variable_set(name("@v", i), i)
  thing.define_singleton_method(name("s", i)) { i }
end
pair = Struct.new(name("f", 0), name("f", 1))
data = Data.define(name("f", 0), name("f", 1))
GC.start
10_000.times { |i| name("other", i) }
GC.start

3.times do |i|
  p Thing.const_get(name("C", i)), Thing.const_defined?(name("C", i))
  p Thing.class_variable_get(name("@@c", i)), Thing.class_variable_defined?(name("@@c", i))
  p thing.public_send(name("m", i)), thing.respond_to?(name("a", i)), thing.public_send(name("s", i))
  p thing.instance_variable_get(name("@v", i))
end
p Thing.constants.sort, thing.instance_variables
p pair.new(1, 2)[name("f", 1)], data.new(1, 2).public_send(name("f", 1))
