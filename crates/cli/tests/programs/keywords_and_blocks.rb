def y(a, **k) = yield(a, **k)
def z(a, *s) = yield(a, *s)
def w(a, k) = yield(a, **k)
kw = {}
[:y, :w].each { |m|
  call = m == :y ? ->(&b) { y([1,2,3], &b) } : ->(&b) { w([1,2,3], {}, &b) }
  p call.() { |a, b| [a, b] }
  p call.() { |a, b = 0| [a, b] }
  p call.() { |a, *b| [a, b] }
  p call.() { |a, | [a] }
  p call.() { |a, **o| [a, o] }
  p call.() { |a, b, **o| [a, b, o] }
  p call.() { |a, b, k: 1| [a, b, k] }
  p call.() { |(a, b), c| [a, b, c] }
  p call.() { |*a| [a] }
  p call.() { |a, b, &c| [a, b] }
  p call.() { |a, b = 0, *c, d| [a, b, c, d] }
}
h = Hash.ruby2_keywords_hash({})
p z([1,2], h) { |a, b| [a, b] }
p z([1,2], h) { |a, b = 0| [a, b] }
p z([1,2], h) { |a, b, **| [a, b] }
p proc { |a, b = 0| [a, b] }.call([1, 2], **kw)
p proc { |a, b| [a, b] }.call([1, 2], **kw)
p proc { |a, b = 0| [a, b] }.call([1, 2], **nil)
def o.x; end rescue 0
o = Object.new
def o.s(a = eval("b"), b = 1) = [a, b]
def o.k(a: eval("b"), b: eval("kw"), kw: 3) = [a, b, kw]
def o.bi(a = binding.local_variable_get(:b), b = 1, *c) = [a, b, c]
def o.lv(a = binding.local_variables.map { binding.local_variable_get(_1) }, b = (c = 2; 1), d = 4) = [a, b, d]
def o.df(a = binding.local_variable_defined?(:b), b = 1) = [a, b]
def o.pr(a = -> { eval("b") }.call, b = 1) = [a, b]
def o.set(a = eval("b = 5"), b = 1) = [a, b]
p o.s, o.k, o.bi, o.lv, o.df, o.pr, o.set
def t(*s, **kw, &b) = [s, kw.keys, b.class]
pr = ->{}
h = {a: pr}; p t(**h, &h.delete(:a)), h
h = {a: pr}; p t(*[], **h, &h.delete(:a))
a = [1, pr]; p t(*a, &a.pop)[1..]
a = [1, pr]; p t(1, *a, &a.pop)[1..]
h = {a: pr, b: 1}; p t(**h, b: 2, &h.delete(:a))
h = {a: pr}; b = t(**h, z: h.delete(:a)); p b
a = [1, 2]; p t(*a, a.pop)
a = [1, 2]; p t(*a, k: a.pop)
a = [1, 2]; h = {a: 1}; p t(*a, **h.tap { a.pop })
def u(a, b = 0, *c, k: 1, **o, &d) = [a, b, c, k, o]
h = {k: 3}; p u(1, **h, &(h.clear; nil))
200.times { y([1, 2, 3]) { |a, b = 0| [a, b] } }
p y([1, 2, 3]) { |a, b = 0| [a, b] }
p y([1, 2, 3], q: 1) { |a, b = 0| [a, b] }, y([1, 2, 3], k: 2) { |a, b, k: 1| [a, b, k] }
200.times { o.s; o.k; t(**{a: pr}, &pr) }
p o.s, o.k, o.s(3), o.s(3, 4), o.k(b: 1), o.k(a: 1, kw: 5)
pr2 = proc { |a = eval("b"), b = 2, c: eval("a")| [a, b, c] }
p pr2.call, pr2.call(1), pr2.call([1, 5]), pr2.call(c: 3)
class Object; define_method(:dm) { |a = eval("b"), b = 3| [a, b] }; end
p dm, dm(1), dm(1, 2)
h = {a: 1}
def keep(**o, &b) = o
p keep(**h, &h.to_proc.tap { h[:b] = 2 }), h
