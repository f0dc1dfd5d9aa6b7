# Arrays and Hashes that are made for a call may become the value of a rest parameter: nothing else sees them.
def rest(*all) = all
def after(a, *all) = [a, all]
def before(*all, z) = [all, z]
def middle(a, b = :b, *all, z) = [a, b, all, z]
def pairs(**all) = all
def named(a: 1, **all) = [a, all]
def both(*all, **pairs) = [all, pairs]
def last(*all) = all.push(:more)
def plain(a) = a
ruby2_keywords def flagged(*all) = all
def keep(*all, **pairs, &block) = block.call(*all, **pairs)

def results
  list, pair, empty, none = [1, 2], {a: 3, "s" => 4}, [], {}
  found = [
    rest(0, *list), rest(*list, 3), rest(0, *list, *list, 5), rest(*list), rest(*nil), rest(0, *nil),
    after(0, *list), after(*list, 3), before(0, *list), before(*list, 3), middle(0, *list, 4), middle(*list, 3, 4, 5),
    pairs(**pair), pairs(**pair, b: 5), pairs(b: 5, **pair), pairs(**none, **none), pairs(**nil),
    named(**pair), named(**pair, b: 5), named(b: 5, **none), named(a: 5, **none), named(**nil),
    both(0, *list, **pair), both(0, *list, b: 1, **pair), both(*empty, **none, **none), both(*nil, **nil),
    rest(0, *list, b: 1, **pair), last(0, *list), last(0, *list, b: 1, **none), plain(**pair, b: 6), rest(**nil),
    both(*flagged(0, *list, b: 1, **pair)), rest(*flagged(1, b: 2)), pairs(*flagged(b: 2)),
    keep(0, *list, **pair, c: 9) { |*all, **rest| [all, rest] },
    keep(0, *list) { |first, *others| [first, others] },
    keep(*list, 7) { |first, (second), third| [first, second, third] },
    send(:after, 0, *list), method(:after).call(0, *list), public_send(:class, *empty),
    [[0, *list]].map { |a, *others| [a, others] },
  ]
  [found, list, pair, empty, none]
end

first = results
puts first.map(&:inspect)
p 30.times.all? { results == first }

# What a method keeps is its own, also if it is called again with the same Array or Hash.
kept = []
20.times do |i|
  list, pair = [i], {i: i}
  all = rest(0, *list)
  all << :changed
  rests = pairs(**pair, b: 1)
  rests[:changed] = true
  kept = [rest(0, *list), pairs(**pair, b: 1), list, pair, all, rests]
end
p kept

class Missing
  def method_missing(name, *all, **pairs) = [name, all, pairs]
  def respond_to_missing?(...) = true
end
list, pair = [1, 2], {a: 1}
3.times { p Missing.new.foo(0, *list, **pair, b: 2), Missing.new.foo(0, *list) } if list.size == 2
each = Object.new
def each.each(*all, **pairs) = yield([all << 1, pairs.merge!(x: 1)])
enumerator = each.to_enum(:each, 0, *list, **pair, b: 2)
3.times { p enumerator.next; enumerator.rewind }
