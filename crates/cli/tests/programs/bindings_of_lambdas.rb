# Bindings left by lambdas and by methods made from blocks see the surrounding variables; recorded from CRuby 3.4.11.
def left
  outer = "outer"
  -> { inner = "inner"; binding }.call
end
p left.eval("[outer, inner]"), eval("outer += '!'; outer", left), left.local_variable_get(:outer)
made = Class.new { define_method(:kept) { |argument = 1| variable = 2; binding } }.new.kept
p made.eval("argument + variable"), made.eval('"#{variable}"'), made.receiver.class == made.eval("self.class")

# Kernel#open is not File.open, which programs may replace.
class << File
  def open(*) = raise("not meant")
end
open(__FILE__) { |file| p file.gets.size > 10, file.class }
p open(__FILE__).tap(&:close).closed?
begin
  open("/nowhere/at/all")
rescue => error
  p error.class
end

# Frozen literals, which are one shared object, have no singleton class.
p((begin "a".freeze.instance_eval("def x = 1") rescue $!.class end), (begin "a".freeze.singleton_class rescue $!.class end))
p "a".freeze.instance_eval { size }
p((begin String.new("a").freeze.instance_eval("def x = 1") rescue $!.class end))
