# Scopes that BasicObject's instances, singleton classes and refinements make for constants and class variables.
class Pretty < BasicObject
  X = 1
end
object = Pretty.new
p object.instance_eval("X")
p (object.instance_eval("Object") rescue $!.name)
p object.instance_eval { Object }
class << object
  ::Kernel.p((Object rescue $!.name), defined?(Object))
end
class << Object.new; p Object; end

module Olympians
  @@rule = "Zeus"
end
c = Class.new
c.extend(Olympians)
p c.singleton_class.class_variables, (c.singleton_class.class_variable_get(:@@rule) rescue $!.class)
c.class_variable_set(:@@foo, 1)
p c.singleton_class.class_variables, c.singleton_class.class_variable_get(:@@foo)
o = c.new
o.extend(Olympians)
p o.singleton_class.class_variables.sort, o.singleton_class.class_variable_get(:@@rule)

errors = Object.new
def errors.write(*texts) = $stdout.write(*texts.map { |text| text.gsub(%r{\S*/programs/}, "") })
$stderr = errors
$VERBOSE = false
module M
  refine String do
    CONSTANT = 1
    @@variable = 2
  end
end
p M::CONSTANT, M.class_variable_get(:@@variable)
$DEBUG = 3
p $DEBUG
$DEBUG = nil
p $DEBUG
