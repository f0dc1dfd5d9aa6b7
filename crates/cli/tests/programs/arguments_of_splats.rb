# The arguments of a splat stay alive when the first call at a place collects garbage: only the callee refers to them.
class Base
  def given(*values, **options) = [values, options]
end

class Derived < Base
  def given(*) = super(*fresh(3), **{ k: "last " * 3 })
end

def fresh(count) = Array.new(count) { |n| "text #{n} " * 3 }
def all(*values, **options) = [values, options]
def two(a, b = "default", *rest, key: nil) = [a, b, rest, key]

EXPECTED = fresh(3).inspect

# Each evaluated call is a new place.
results = 40.times.map do |n|
  [
    eval("all(*fresh(3))"), eval("all(*fresh(3), key: 'key ' * 3)"), eval("two(*fresh(3), key: 'key ' * 3)"),
    eval("format('%s%s%s', *fresh(3))"), eval("[].push(*fresh(3))"), eval("Base.new.given(*fresh(3))"),
    eval("class Derived#{n} < Base; def given(*) = super(*fresh(3), k: 'last ' * 3); self; end.new.given"),
    eval("Struct.new(:a, :b, :c).new(*fresh(3)).to_a"), eval("Kernel.Integer(*['12' * 3], exception: false)"),
  ]
end
raise "arguments" unless results.uniq.size == 1
results[0].each { |result| p result }
p Derived.new.given
