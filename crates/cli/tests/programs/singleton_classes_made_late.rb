# instance_eval makes a singleton class when something is defined in it, not before: constants are those of the class
# until then, and messages describe a plain object.
class Parrot
  COLOR = :green
end

def message
  yield.inspect
rescue NameError => error
  error.message
end

3.times do
  parrot = Parrot.new
  puts message { parrot.instance_eval("squawk") }
  puts message { parrot.instance_eval { eval "squawk" } }
  puts message { "polly".instance_eval("squawk") }
  p parrot.instance_eval("[COLOR, Module.nesting, self.class, 1 + 1]")
  p parrot.instance_eval("binding").eval("COLOR")
  p parrot.singleton_methods
end

parrot = Parrot.new
around = parrot.instance_eval("binding")
around.eval("def talk = FOOD")
around.eval("FOOD = :nuts")
p parrot.talk, parrot.singleton_methods, parrot.singleton_class.constants(false), Parrot.instance_methods(false)
p message { parrot.instance_eval("squawk") }.start_with?("undefined local variable or method 'squawk' for #<Parrot:0x")

parrot = Parrot.new
maker = parrot.instance_eval("proc { WINGS = 2; class Feather; def self.weight = 1; end; def fly = WINGS; self }")
p maker.call.fly, parrot.singleton_class.constants(false).sort, parrot.instance_eval("Feather.weight")
parrot.instance_exec { eval "alias soar fly; undef fly" }
p parrot.singleton_methods
p Parrot.new.instance_eval("autoload :Egg, '/nonexistent/egg'; autoload?(:Egg)")

p Parrot.instance_eval("def lay = :egg; Module.nesting"), Parrot.lay
frozen = Parrot.new.freeze
p frozen.instance_eval("COLOR")
begin
  frozen.instance_eval("def talk = 1")
rescue FrozenError => error
  puts error.message.sub(/0x\h+/, "")
end
begin
  :sym.instance_eval("def talk = 1")
rescue TypeError => error
  puts error.message
end

module Loud
  refine Parrot do
    def shout = :SQUAWK
  end
end
using Loud
p Parrot.new.instance_eval("shout")
p message { Refinement.allocate }
