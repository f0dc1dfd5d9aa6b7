# The text of a super_method has the class at which the search for it continued.
module Outer; def a; end; end
class Parent; def a; end; end
class Child < Parent; include Outer; def a; end; alias b a; end
child = Child.new
def child.a; end
p [:a, :b].map { |name| child.method(name).inspect[/: ([^(]*(\(\w+\))?#\w+(\(\w+\))?)/, 1] }
m = Child.new.method(:b)
3.times { p((m = m.super_method)&.inspect.to_s[/: (.*?#\w+(\(\w+\))?)/, 1]) }
p 1.method(:clamp).inspect[/: (.*?#\w+)/, 1]
p Class.new(Child).new.method(:a).inspect[/\((\w+)\)#a/, 1]
