//! Calls, their arguments and what they find.

use super::check;

#[test]
fn calls_among_compiled_methods() {
    check("def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)\np fib(15)", "610\n");
    check(
        "def odd(n) = n == 0 ? false : even(n - 1)\ndef even(n) = n == 0 ? true : odd(n - 1)\np even(3000)",
        "true\n",
    );
}

#[test]
fn a_case_of_literals_goes_where_it_would() {
    check(
        "def f(x)\n case x\n when 'a', 'b' then 1\n when :c then 2\n when 3 then x + 1\n when nil then 5\n else 6\n \
         end\nend\n60.times { ['a', :c, 3].each { |x| f(x) } }\np ['a', 'b', :c, 3, nil, 3.0, 'z'].map { |x| f(x) }\n\
         class String\n def ===(o) = true\nend\np f(7)",
        "[1, 1, 2, 4, 5, 4.0, 6]\n1\n",
    );
}

/// Expected: what CRuby 4.1dev prints.
#[test]
fn super_calls_what_the_running_method_overrides() {
    check(
        r#"
class A
  def initialize(a) = @a = a
  def f(x, k: 1) = x + k
  def each
    yield 1
    yield @a
  end
  def g(*r, &b) = [r, b ? b.call : nil]
  def h(x) = x
end
module M
  def f(x, k: 2) = super + 10
  def h(x) = super * 2
end
class B < A
  include M
  def initialize(a, b)
    super(a)
    @b = b
  end
  def f(x, k: 3) = super(x, k:) + 100
  def each
    super { |x| yield x * 2 }
    super
  end
  def g(*r, &b) = super
  def h(x) = super + 1
end
class C < B
  include M
  def h(x) = super(x) - 1
  def f(x, k: 5) = super
end
class D
  def initialize
    super
    @x = 1
  end
end
module P; def h(x) = super + 5; end
r = []
100.times do |i|
  b = (i % 3 == 0 ? C : B).new(i, 2)
  out = []
  b.each { |x| out << x }
  r << [b.f(i), b.f(i, k: 7), out, b.g(1, i), b.g(2) { i }, b.h(3)]
  D.new
  if i == 60
    A.define_method(:h) { |x| x * 1000 }
  elsif i == 80
    B.prepend P
  elsif i == 90
    M.module_eval { def f(x, k: 2) = super }
  end
end
p r.hash == r.hash, r[0], r[50], r[61], r[85], r[99]
begin
  class E; def q = super; end
  30.times { E.new.q rescue 0 }
  E.new.q
rescue NoMethodError => e
  puts e.message
end
"#,
        r#"true
[115, 117, [2, 0, 1, 0], [[1, 0], nil], [[2], 0], 6]
[163, 167, [2, 100, 1, 50], [[1, 50], nil], [[2], 50], 7]
[174, 178, [2, 122, 1, 61], [[1, 61], nil], [[2], 61], 6001]
[198, 202, [2, 170, 1, 85], [[1, 85], nil], [[2], 85], 6006]
[204, 206, [2, 198, 1, 99], [[1, 99], nil], [[2], 99], 6005]
super: no superclass method 'q' for an instance of E
"#,
    );
}

#[test]
fn equality_that_a_program_defines() {
    check(
        "class A\n def ==(o) = true\nend\ndef f(a) = a != false ? 1 : 2\ndef g(a) = a == false ? 1 : 2\n\
         20.times { f(true); g(nil) }\np f(true), f(false), f(A.new), g(true), g(false), g(A.new)",
        "1\n2\n2\n2\n1\n1\n",
    );
}

#[test]
fn endless_recursion_is_a_system_stack_error() {
    check("def f(n) = f(n + 1) + 1\nbegin\n f(0)\nrescue SystemStackError => e\n p e.class\nend", "SystemStackError\n");
    check("def f(n) = n == 0 ? 0 : f(n - 1) + 1\np f(10_000)", "10000\n");
}

// Recorded from CRuby 4.1dev.
#[test]
fn arguments_are_arranged_when_the_call_is_translated() {
    check(
        r##"def kw(a, b = a * 2, *r, c, k:, l: k + 1, &blk) = [a, b, r, c, k, l, blk&.call]
def rest(*a) = a
def only(k: 1, j: 2) = [k, j]
60.times { |i| kw(i, 2, k: i); rest(1, i); only(j: i) }
p kw(1, 9, k: 3), kw(1, 2, 3, 4, 5, l: 0, k: 7) { :b }, rest, rest(1, 2), only, only(j: 5), only(k: 0, j: 9)
p((kw(1, k: 2) rescue $!.message), (only(z: 1) rescue $!.message))
p((kw(1, 2) rescue $!.message), (only(1) rescue $!.message))"##,
        "[1, 2, [], 9, 3, 4, nil]\n\
         [1, 2, [3, 4], 5, 7, 0, :b]\n\
         []\n\
         [1, 2]\n\
         [1, 2]\n\
         [1, 5]\n\
         [0, 9]\n\
         \"wrong number of arguments (given 1, expected 2+; required keyword: k)\"\n\
         \"unknown keyword: :z\"\n\
         \"missing keyword: :k\"\n\
         \"wrong number of arguments (given 1, expected 0)\"\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn literals_as_arguments_are_strings_of_their_own() {
    check(
        r##"def add(s) = s << "!"
class Keep
  def initialize(s) = @s = s
  def to_s = @s
end
r = nil
60.times { r = [add(+"a"), Keep.new("b").to_s.equal?(Keep.new("b").to_s), "x".include?("x")] }
p r"##,
        "[\"a!\", false, true]\n",
    );
}
