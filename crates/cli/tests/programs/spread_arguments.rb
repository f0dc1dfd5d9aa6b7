# Calls that spread an Array, in cold and hot code.

def two(a, b) = [a, b]
def none = 0
def kw(a, b: 3) = [a, b]
def opt(a, b = 2) = [a, b]
def t(l) = two(*l)
def u(l) = none(*l)
def v(l) = kw(*l)
def w(l) = opt(*l)
class L; def to_a = [1,2]; end
class P; attr_reader :a; def initialize(a, b) = (@a = [a,b]); def self.m(l) = new(*l); end
def flag(*a) = two(*a)
ruby2_keywords(def pass(*a) = kw(*a))
o = []
100.times { |i| o = [t([i, 1]), u([]), v([i]), w([i]), w([i, 2]), t(L.new), P.m([1, 2]).a, flag(1, 2), pass(1, b: i), pass(1)] }
p o
[[], [1], [1,2,3], [1, {b: 2}], nil, 5].each { |l| begin; p t(l); rescue => e; p e.class, e.message; end }
p v([1, {b: 2}]) rescue p $!.message
p pass(1, b: 7)
def tree(l, r) = l.nil? ? 1 : 1 + tree(*l) + tree(*r)
p tree([nil, nil], [[nil, nil], [nil, nil]])
begin; t([1]); rescue => e; p e.backtrace.map { |x| x[/\d+:in.*/] }.first(3); end
def rest(*r) = r
def first(a, *r) = [a, r]
def two_and(a, b, *r, &k) = [a, b, r, k && k.call]
ruby2_keywords(def flagged(*a) = first(*a))
def kept(*r) = r
def spread(l) = [rest(*l), (first(*l) rescue $!.message), (two_and(*l) rescue $!.message), (two_and(*l) { 7 } rescue 0)]
def mixed(x, l) = [rest(x, *l), first(x, *l), two_and(x, x, *l), rest(*l, x), flagged(x, *l)]
def through(*l) = first(*l)
60.times { |i| spread([1, 2, i]); mixed(i, [1]); through(1, i); flagged(i, b: 2) }
[[], [1], [1, 2], [1, {a: 1}], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], nil, 1..3].each { |l| p spread(l), mixed(:x, l) }
p flagged(1, b: 2), flagged(b: 2), through({}), rest(*[{}]), rest(**{})
list = [1, 2]
same = kept(*list)
same << 3
p list, same
