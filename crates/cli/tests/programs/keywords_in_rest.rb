# Keywords for a method that takes none are the last of its arguments, also in a rest parameter.

def rest(*list) = list
def after_one(first, *list) = [first, list]
def after_default(first = 0, *list) = [first, list]
def before_one(*list, last) = [list, last]
def with_block(*list) = yield(list)
def changed(*list) = list << list.last.class
def many(*list) = list.size

class Args
  attr_reader :list
  def initialize(*list) = @list = list
end

def all(n, m)
  [
    rest(a: n), rest(n, a: n, b: m), rest, rest(n), rest(n, m, n, m, n, m, n, a: n), after_one(a: n),
    after_one(n, a: m), after_default(a: n), after_default(n, m, a: n), before_one(a: n), before_one(n, a: n),
    before_one(n, m), with_block(n, a: n) { |list| list.reverse }, changed(n, a: n), changed(n),
    many(1, 2, 3, 4, 5, a: n), many(1, 2, 3, 4, 5, 6, a: n), Args.new(n, a: m).list,
    {a: 1}.merge(b: n), {a: 1}.merge({b: n}, c: m), [n].push(a: n)
  ]
end

p all(1, 2)
400.times { |n| all(n, n + 1) }
p all(3, 4)

# Each call makes objects of its own.
def twice = Array.new(2) { rest(a: 1) }
300.times { twice }
one, two = twice
one[0][:a] = 2
one << 3
p one, two

# Keywords that are passed on.
def flagged(*list) = receives(*list)
ruby2_keywords def marked(*list) = receives(*list)
def receives(*list, **options) = [list, options]
300.times { flagged(1, a: 2) && marked(1, a: 2) }
p flagged(1, a: 2), marked(1, a: 2)
class Marked
  def later(*list) = passed(*list)
  def passed(*list, **options) = [list, options]
end
def call_later(object) = object.later(1, a: 2)
def call_proc(callable) = callable.call(1, a: 2)
object = Marked.new
callable = proc { |*list| receives(*list) }
400.times { call_later(object) && call_proc(callable) }
p call_later(object), call_proc(callable)
Marked.send(:ruby2_keywords, :later)
callable.ruby2_keywords
p call_later(object), call_proc(callable)
def none(*list, **nil) = list
300.times { none(1) }
begin
  none(a: 1)
rescue ArgumentError => e
  puts e.message
end
