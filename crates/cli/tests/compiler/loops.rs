//! Loops that are entered while they run, and what they carry.

use super::check;

#[test]
fn a_loop_is_entered_while_it_runs() {
    check("i = 0\ns = 0.0\nwhile i < 100\n s = s * 0.5 + i\n i += 1\nend\np s", "196.0\n");
}

#[test]
fn a_loop_with_a_block_that_sets_variables_around_it() {
    check("s = 0\n50.times { |i| s += i }\nkeep = -> { s }\n50.times { |i| s += i }\np s, keep.call", "2450\n2450\n");
}

#[test]
fn loops_carry_numbers_that_change_what_they_are() {
    check(
        "def grow(n)\n s = 1\n i = 0\n while i < n\n  s *= 3\n  i += 1\n end\n s\nend\np grow(10), grow(60)",
        "59049\n42391158275216203514294433201\n",
    );
    check(
        "def mean(list)\n s = 0\n list.each { |x| s += x }\n i = 0\n t = 0.0\n while i < list.size\n  t = t + \
         list[i]\n  \
         i += 1\n end\n [s, t]\nend\np mean([1, 2, 3]), mean([1, 2.5, 3]), mean([0.0, -0.0, 1e300])",
        "[6, 6.0]\n[6.5, 6.5]\n[1.0e+300, 1.0e+300]\n",
    );
    check(
        "def last(n)\n x = nil\n i = 0\n while i < n\n  x = i.odd? ? i : i.to_s\n  i += 1\n end\n x\nend\n\
         p last(0), last(9), last(10)",
        "nil\n\"8\"\n9\n",
    );
}

#[test]
fn variables_of_a_loop_are_seen_while_it_runs() {
    check(
        "def look(n)\n i = 0\n x = 0.5\n while i < n\n  x *= 2\n  i += 1\n  raise binding.local_variables.inspect + \
         x.to_s \
         if i == 9\n end\nrescue => e\n [e.message, i, x]\nend\np look(20)",
        "[\"[:n, :i, :x, :e]256.0\", 9, 256.0]\n",
    );
    check(
        "def keep(n)\n kept = []\n i = 0\n while i < n\n  j = i * 2\n  kept << -> { [i, j] } if i % 3 == 0\n  i += \
         1\n end\n \
         kept.map(&:call)\nend\np keep(7)",
        "[[7, 12], [7, 12], [7, 12]]\n",
    );
}

#[test]
fn what_is_known_on_several_ways_is_put_together() {
    check(
        "def ways(n)\n a = 1\n b = 2.0\n i = 0\n r = []\n while i < n\n  if i % 3 == 0\n   a += i\n  elsif i % 3 == \
         1\n   b = b * \
         1.5\n  else\n   a, b = b.to_i, a.to_f\n  end\n  r << [a, b] if i > n - 3\n  i += 1\n end\n r\nend\np ways(20)",
        "[[51, 42.0], [51, 63.0]]\n",
    );
}

#[test]
fn temporaries_that_are_still_read_are_kept() {
    check(
        "class C\n def initialize = (@h, @a = {}, [1, 2])\n def get(k)\n  @h[k] ||= @a.inject([]) { |l, x| l.push(k, \
         x) }\n end\n\
         end\n30.times { C.new.get(:a) }\np C.new.get(:b)",
        "[:b, 1, :b, 2]\n",
    );
}

#[test]
fn a_unit_gets_warm_in_the_loop_of_an_inlined_method() {
    check(
        "def spin(n)\n i = 0\n i += 1 while i < n\n i\nend\n\
         def each_of(list)\n [1].each { list.each { |k| spin(k); yield k } }\nend\n\
         sum = 0\neach_of([3, 4, 5] * 20) { |k| sum += k }\np sum",
        "240\n",
    );
}
