# The default visibility within blocks, in methods and in class bodies. Recorded from CRuby 4.1dev.
class Foo
  def self.fields(*ns) = ns.each { |n| define_method(n) { n } }
  def self.accessors(*ns) = ns.each { |n| attr_accessor n }
  def self.defs = [1].each { def in_block = 1 }
  def self.late = -> { define_method(:late_one) { } }
  def self.evaled = class_eval { private; define_method(:evaled_one) { }; def evaled_two = 1 }
  def self.evaled_in_block = [1].each { class_eval { define_method(:evaled_three) { } } }
  def self.private_in_block = [1].each { private; define_method(:four) { } ; def five = 1 }
  def self.by_eval = [1].each { eval "define_method(:six) { }; def seven = 1" }
  define_method(:outer) { self.class.class_eval { [1].each { define_method(:eight) { } } } }
  singleton_class.define_method(:nine) { [1].each { define_method(:nine) { } } }
  private
  [1].each { define_method(:in_body) { }; def in_body2 = 1 }
  def helper = 1
  fields :x
end
Foo.fields :z
Foo.accessors :acc
Foo.defs
Foo.late.call
Foo.evaled
Foo.evaled_in_block
Foo.private_in_block
Foo.by_eval
Foo.new.outer
Foo.nine
p Foo.private_instance_methods(false).sort, Foo.public_instance_methods(false).sort
module M
  def self.q(*ns) = ns.each { |n| define_method(n) { n } }
  module_function
  def a = 1
  [1].each { define_method(:b) { 2 } }
end
M.q :c
p M.private_instance_methods(false).sort, M.singleton_methods.sort
def top = [1].each { Object.define_method(:from_top) { } ; def from_top2 = 1 }
private
top
p Object.private_method_defined?(:from_top), Object.private_method_defined?(:from_top2)
