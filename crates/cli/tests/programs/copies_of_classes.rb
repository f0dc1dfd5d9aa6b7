# The state of a class that methods of the program see while it is copied, and what copies keep.
above = Class.new
above.define_singleton_method(:initialize_dup) do |original|
  p ancestors.first(2) == [self, above], singleton_class.ancestors.first(2) == [singleton_class, above.singleton_class]
  super(original)
end
copy = Class.new(above) { def x = 1 }.dup
p copy.new.x, copy.superclass == above

base = Class.new { def self.initialize_clone(original) = (p ancestors.include?(Kernel); super) }
base.clone

o = Class.new.new
o.singleton_class.singleton_class.define_method(:of_singleton) { :of_singleton }
p o.clone.singleton_class.of_singleton

# Frozen classes and objects are named by their class.
str = +"str"
str.singleton_class
class Frozen; end
[str.freeze, Frozen.freeze].each do |v|
  v.instance_variable_set(:@a, 1)
rescue FrozenError => e
  puts e.message
end
begin
  Frozen.class_eval { def x; end }
rescue FrozenError => e
  puts e.message
end

# A class may have its own `to_s`, which messages show.
shown = Class.new { def self.to_s = "Shown" }
begin
  Integer(shown.new)
rescue TypeError => e
  puts e.message
end
inner = Class.new(Class.new { def foo = 1 }) do
  def self.to_s = "Inner"
  def foo = Object.new.instance_eval { super() }
end
begin
  inner.new.foo
rescue TypeError => e
  p e.message.include?("has wrong type to call super in this context") && e.message.include?("Inner")
end

# Definitions that do not fit.
A = 1
begin
  class A; end
rescue TypeError => e
  puts e.message.sub(/^.*\//, "")
end
%i[append_features prepend_features extend_object].each do |name|
  Module.instance_method(name).bind(Class.new).call(Module.new)
rescue TypeError => e
  puts e.message
end
other = Module.new { def user; end }
p Class.new { prepend other }.method_defined?(:user, false)

# Years of a Time, and broken marks of zones in dumps.
p Time.utc(1 << 100, 2, 3).year == 1 << 100, Time.utc(-(1 << 100)).year == -(1 << 100)
ENV["TZ"] = "UTC"
p Marshal.load("\x04\bIu:\tTime\r\xEFF\x1C\x80\x00\x00\x00\x00\x06:\voffsetT").utc_offset
class Zoned < Time
  def self.find_timezone(name) = raise(ArgumentError, name)
end
dump = "\x04\bIu:\nZoned\r\xEF\xA7\x1D\x80\x00\x00\x00\x00\a:\voffseti\x02\x90~:\tzone\"\bJST"
p Marshal.load(dump.b).utc_offset
