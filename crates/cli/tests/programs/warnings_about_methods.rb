# Warnings about redefined methods, unused blocks and experimental classes; objects that change an Array's elements.
require "rbconfig"

def warned(code, *options)
  IO.popen([RbConfig.ruby, *options, "-e", code, err: [:child, :out]], &:read).gsub(/-e:(\d+): warning: /, '\1: ')
end

puts warned(<<~RUBY, "-w")
  M = Module.new { def f() = 1 }
  class A; end
  2.times { A.define_method(:g, M.instance_method(:f)) }
  class H; def z() = 1; end
  class I < H; define_method(:z, H.instance_method(:z)); def z() = 3; end
  class Range; def sum() = 1; end
  class Array; def each_slice() = 1; end
  class A; def twice() = 1; def twice() = 2; end
RUBY

puts warned(<<~RUBY, "-w")
  def ignores = nil
  ignores {}
  send(:ignores) {}
  passed = proc {}
  ignores(&passed)
  def uses(&) = nil
  def forwards(...) = uses(...)
  def given = block_given?
  def yields = [1].each { yield }
  uses {}
  forwards {}
  given {}
  yields {}
  def self.own(one, two: 1) = nil
  own(1, two: 2) {}
  class A; def known = yield; end
  class B; def known = nil; end
  B.new.known {}
  class C; def initialize = nil; end
  C.new {}
  class D < A
    def known = super
    def other = nil
    def third = nil
    def fourth = nil
  end
  class E < D
    def other = super(&nil)
    def third = super() {}
    def fourth = super {}
  end
  E.new.known {}
  E.new.other {}
  E.new.third {}
  E.new.fourth {}
RUBY

puts warned('def known() = yield; class A; def known = nil; end; A.new.known {}', "-W:strict_unused_block")
puts warned("IO::Buffer.for('a'); IO::Buffer.new")
puts warned("def Warning.warn(text, **rest) = p(rest); IO::Buffer.string(1) {}")
puts warned("ObjectSpace.define_finalizer(Object.new, proc { raise 'x' })").sub(/0x\h+/, "")
puts warned('"a\xff".scrub { |part| part * 2 }').lines.first
begin
  Object.new.tap { |object| def object.own() = 1 }.method(:nope)
rescue NameError => e
  puts e.message.sub(/0x\h+/, "")
end

same = Object.new
def same.<=>(other) = ($list.clear; 0)
$list = [same] * 10
p $list <=> [1] * 10

# Each method that a call site gives a block to has a warning of its own.
puts warned(<<~RUBY, "-W:strict_unused_block")
  class First; def ignores = 1; end
  class Second; def ignores = 2; end
  def give(object) = object.ignores { 3 }
  3.times { [First.new, Second.new].each { |object| give(object) } }
RUBY
