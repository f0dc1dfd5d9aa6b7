# A method_missing in Object is not called for exceptions: raising in it would not end.
$VERBOSE = nil
class Object
  def method_missing(name, *) = raise(ArgumentError.new("no #{name}"))
end
class Own < StandardError
  def method_missing(name, *) = [:own, name]
  def respond_to_missing?(name, all) = name == :known
end

def result
  yield
rescue Exception => e
  [e.class, e.message]
end

8.times do
  p result { 1.foo }, result { raise Own.new("own") }, result { "a" + ArgumentError.new("x") }
  p result { ArgumentError.new.foo }, result { Own.new.foo }, Own.new.respond_to?(:known), result { raise nil }
end
p Exception.private_instance_methods(false).sort.grep(/missing/)
