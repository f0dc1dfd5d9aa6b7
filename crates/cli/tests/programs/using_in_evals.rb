# Which code `using` in an eval applies to, and `private` likewise.

module Shouting
  refine(String) { def shout = upcase + "!" }
end

module Doubling
  refine(Integer) { def double = self * 2 }
end

class OfBinding
  around = binding
  around.eval("private")
  def after = 1
  p private_method_defined?(:after)
end

class OfCaller
  eval("private")
  def after = 1
  p private_method_defined?(:after)
end

around = binding
around.eval("using Doubling")
p eval("4.double"), 4.double, around.eval("4.double")

def at_top(source) = (eval(source, TOPLEVEL_BINDING) rescue $!.class)
at_top("variable = 1")
at_top("using Module.new")
before = binding
before.eval("other = 1")
using Shouting
p at_top('"a".shout'), before.eval('"a".shout')

eval("using Module.new { refine(Array) { def mine = 2 } }")
p((eval("[].mine") rescue $!.class), (around.eval("[].mine") rescue $!.class))

module Inside
  around = binding
  around.eval("using Module.new { refine(Hash) { def mine = 3 } }")
  p eval("{}.mine"), {}.mine, around.eval("{}.mine")
end
p((around.eval("{}.mine") rescue $!.class))

1.times do
  inner = binding
  inner.eval("using Module.new { refine(Symbol) { def mine = 4 } }")
  p inner.eval(":a.mine")
end
p eval(":a.mine"), Module.used_modules.size

def of_method = binding
def itself_using = using(Module.new)
p((of_method.eval("using Module.new") rescue $!.message), (itself_using rescue $!.message))
class OfMain
  p((TOPLEVEL_BINDING.receiver.send(:using, Module.new) rescue $!.message))
end
["instance_eval", "instance_exec", "tap", "1.times"].each do |name|
  p at_top("#{name} { using Module.new }")
end
p at_top("method(:using).call(Module.new)")
