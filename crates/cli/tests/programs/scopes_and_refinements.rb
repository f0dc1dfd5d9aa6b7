# Name lookup in copied classes, evaluated code and refinements.
def show(name)
  answer = begin
    yield
  rescue StandardError => e
    "#{e.class}: #{e.message.lines.first.chomp.gsub(/0x\h+/, "0x")}"
  end
  puts "#{name}: #{answer.inspect}"
end

class Original
  PLACE = 1
  @@shared = 1
  def place = PLACE
  def shared = @@shared
  def shared=(value)
    @@shared = value
  end
end
Copy = Original.clone
Original.send(:remove_const, :PLACE)
Copy.new.shared = 5
show(:copy) { [Copy.new.place, Copy.new.shared, Original.new.shared] }

class Integer
  OF_INTEGER = 1
end
show(:constant_of_an_integer) { 1.instance_eval("OF_INTEGER") }
show(:definition_in_an_integer) { 1.instance_eval("OTHER = 1") }

object = Object.new
object.instance_exec { eval("def evaluated = 1") }
show(:evaluated) { object.evaluated }

module Early
  X = :module
end
class Late
  X = :class
  prepend Early
  def x = X
end
show(:prepended) { [Late.new.x, Late::X, Late.const_get(:X)] }

def nothing_given = yield
show(:no_block) { nothing_given rescue [$!.reason, $!.exit_value] }
def passes(&block) = lambda(&block)
show(:lambda) { passes {} }

show(:frozen_class) { Class.new.freeze.class_eval { def x; end } }
show(:frozen_module) { Module.new.freeze.module_eval { def x; end } }
show(:frozen_object) { Object.new.tap(&:singleton_class).freeze.singleton_class.class_eval { def x; end } }

show(:locals) { seen = 1; unsen }
show(:sees) { seen = 1; begin; unsen; rescue NameError => e; e.send(:local_variables).first(2); end }

class Missing
  def method_missing(*arguments, **keywords) = [arguments, keywords]
  def above(...) = super
end
show(:missing_super) { Missing.new.above(1, a: 2) }

class Refined
  def name = [:class]
end
module Refining
  refine(Refined) { def name = [:refined, *super] }
  refine(Integer) { def /(other) = quo(other) }
  refine(String) { def shout = upcase }
  refine(Refined.singleton_class) { private :new }
end
module InFront
  def name = [:front, *super]
end
MADE = Refined.new
using Refining
Refined.prepend(InFront)
show(:in_front) { MADE.name }
show(:divided) { 1 / 2 }
show(:defined) { defined?("".shout) }
show(:private_in_refinement) { Refined.new }
def uses = Module.new { using Refining }
show(:using_in_method) { uses }
show(:using_elsewhere) { Module.new.send(:using, Refining) }

# Attributes set for an autoload constant apply to the one that the file defines; a file may define several.
require "tmpdir"
Dir.mktmpdir do |folder|
  path = File.join(folder, "made.rb")
  File.write(path, "class Holder; HIDDEN = 1; private_constant :HIDDEN; end; module FirstMade; end; module SecondMade; end")
  class Holder; end
  Holder.autoload(:HIDDEN, path)
  Object.autoload(:FirstMade, path)
  Object.autoload(:SecondMade, path)
  show(:autoloaded_private) { Holder::HIDDEN }
  show(:made_together) { [FirstMade, SecondMade] }
  slow = File.join(folder, "slow.rb")
  File.write(slow, "sleep 0.05; module Slow; end")
  Object.autoload(:Slow, slow)
  loading = Thread.new { Slow }
  Thread.pass until loading.stop?
  child = fork { exit!(Slow.name == "Slow") }
  Process.wait(child)
  show(:autoload_in_a_fork) { [$?.success?, loading.value] }
end

outer = Module.new
outer.const_set(:Inner, Module.new)
outer.set_temporary_name("outer name")
show(:inner_name) { outer::Inner.name }

class Grandchild < Class.new(Late)
end
show(:prepended_above) { [Grandchild::X, Grandchild.new.x] }

# A module that is included and then prepended: the chain of `super` ends.
class Below
  def way = [:below]
end
class Twice < Below
  def way = [:twice, *super]
end
module Both
  def way = [:both, *super]
end
Twice.include(Both)
Twice.prepend(Both)
show(:included_and_prepended) { Twice.new.way.uniq }

class WithVariable
  @@variable = 13
  def self.of(object) = [object.instance_eval("@@variable"), object.instance_eval { @@variable }]
end
show(:class_variables) { [Object.new, 7, :symbol, nil, true, 1.5].flat_map { |object| WithVariable.of(object) }.uniq }

ring = Module.new
ring.const_set(:Inner, Module.new)
ring::Inner.const_set(:Outer, ring)
ring.set_temporary_name("a ring")
show(:ring) { [ring.name, ring::Inner.name] }

# The Proc of a Symbol calls the methods of the refinements that are active where it is called.
def called_before(a_proc) = [a_proc.call(3), [3].map(&a_proc)]
def yielding_before = yield(3)
using Module.new { refine(Integer) { def abs = self * 2 } }
def yielding = yield(3)
absolute = :abs.to_proc
show(:called) { [absolute.call(3), absolute.(3), absolute[3], absolute === 3, (absolute >> :to_s.to_proc).(3)] }
show(:passed) { [[3].map(&absolute), yielding(&absolute), 3.instance_exec(3, &absolute), [3].map(&:abs)] }
show(:elsewhere) { [called_before(absolute), yielding_before(&absolute), yielding_before(&:abs)] }
