//! Calls that ask about an object or a call.

use super::check;

// Recorded from CRuby 4.1dev.
#[test]
fn instance_variables_by_name() {
    check(
        "class A
  def initialize = @a = 1
  def get = [instance_variable_get(:@a), instance_variable_get(:@b)]
  def set(v) = instance_variable_set(:@c, v)
  def has = [:@a, :@b, :@c].map { instance_variable_defined?(it) } + [instance_variable_defined?(:@c)]
end
r = nil
60.times { |i| a = A.new; r = [a.get, a.has, a.set([i]), a.has, a.instance_variable_get(:@c)] }
p r
a = A.new
a.set(1)
a.remove_instance_variable(:@c)
p a.has
a.freeze
begin
  a.set(1)
rescue => error
  p error.class
end
def invalid(o) = o.instance_variable_get(:b)
5.times { invalid(a) rescue r = $!.message }
p r",
        "[[1, nil], [true, false, false, false], [59], [true, false, true, true], [59]]
[true, false, false, false]\nFrozenError\n\"'b' is not allowed as an instance variable name\"\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn whether_a_block_was_given() {
    check(
        "def own = block_given?
def in_block = [1].each { return block_given? }
def in_lambda = -> { block_given? }.call
def keep = proc { block_given? }
r = nil
60.times do
  r = [own, own {}, own(&nil), own(&:x), in_block, in_block {}, in_lambda, in_lambda {}, keep.call, keep {}.call]
end
p r
self.class.define_method(:by_block) { block_given? }
60.times { r = [by_block, by_block {}] }
p r",
        "[false, true, false, true, false, true, false, true, false, true]\n[false, false]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn whether_an_object_is_frozen() {
    check(
        "class S < String; end
def f(o) = o.frozen?
all = [1, nil, :a, 1.5, 2**70, \"a\", \"a\".dup, \"a\".freeze, [], [].freeze, S.new(\"a\"), S.new(\"a\").freeze, 1..2]
r = nil
60.times { r = all.map { |o| f(o) } }
p r
60.times { r = [f(\"x\".dup), f(\"x\".dup.freeze)] }
p r",
        "[true, true, true, true, true, false, false, true, false, true, false, true, true]\n[false, true]\n",
    );
}
