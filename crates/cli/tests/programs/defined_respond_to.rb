# `defined?` asks a program's own `respond_to?` about `respond_to_missing?`; one without the second parameter is
# deprecated.
def Warning.warn(text, **) = puts(text[/\d+: warning.*/])
$VERBOSE, Warning[:deprecated] = false, true
class OneParameter
  def respond_to?(name) = (p name; true)
  def respond_to_missing?(*) = true
end
class Refusing
  def respond_to?(name, all = false) = (p [name, all]; false)
  def respond_to_missing?(*) = true
end
2.times do
  p defined?(OneParameter.new.foo), defined?(Refusing.new.foo), defined?(Refusing.new.hash)
end
