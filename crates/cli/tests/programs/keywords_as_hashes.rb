# Keywords that a method takes as a Hash, and `super` with receivers of many classes, in code that runs often.
def opts(a, o = {}) = [a, o]
def req(a, o) = [a, o]
def kwr(**o) = o
def kwk(a: 1, **o) = [a, o]
def post(a, *r, o) = [a, r, o]
def fw(...) = kwk(...)
class P; def initialize(a, o = nil) = (@a = a; @o = o); attr_reader :o; end
class A; def foo(x) = [:A, x]; end
class B < A; def foo(x) = [:B, *super]; end
7.times { |i| Object.const_set("B#{i}", Class.new(B) { define_method("z#{i}") { }; class_eval "def foo(x) = [:C#{i}, *super]; def initialize; @v#{i} = 1; end" }) }
BS = 7.times.map { |i| Object.const_get("B#{i}").new }
def run(i)
  [opts(i, b: 1), opts(i), req(i, c: i, d: 2), kwr(x: i), kwr, kwk(b: i, a: 2, c: 3), kwk(z: 1), fw(q: i), fw(a: i), P.new(1, k: i).o,
   opts(i, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10), {}, BS[i % 7].foo(i)]
end
out = nil
400.times { |i| r = run(i); r.each { |x| x[:new] = 1 if Hash === x }; out = r }
p out
p run(3)
begin; def nk(a:) = a; nk(a: 1, b: 2); rescue ArgumentError => e; p e.message; end
