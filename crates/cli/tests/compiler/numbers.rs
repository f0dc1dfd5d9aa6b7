//! Numbers of changing kinds.

use super::check;

#[test]
fn integers_grow_and_types_change() {
    check("def f(a, b) = a * b\nx = 3\n60.times { x = f(x, 3) }\np x", "127173474825648610542883299603\n");
    check(
        "def f(a, b) = a + b\n20.times { f(1, 2) }\np f(1.5, 2), f('a', 'b'), f([1], [2]), f(2**70, 1)",
        "3.5\n\"ab\"\n[1, 2]\n1180591620717411303425\n",
    );
    check(
        "def f(a, b) = a - b\n20.times { f(1.0, 0.5) }\np f(1, 2), f(0.0, -0.0), f(1e300, -1e300), f(5, 0.5)",
        "-1\n0.0\n2.0e+300\n4.5\n",
    );
}

#[test]
fn floats_are_boxed_where_something_looks() {
    check(
        "def f(x)\n y = x * 2.0\n z = y + 1.0\n b = binding\n [b.local_variable_get(:y), z]\nend\n\
         20.times { f(1.0) }\np f(1.5)",
        "[3.0, 4.0]\n",
    );
    check(
        "def f(x)\n y = x * 1e300\n y * 1e300 > 1.0 ? y : 0\nend\n20.times { f(1.0) }\np f(2.0), f(-1.0)",
        "2.0e+300\n0\n",
    );
    check(
        "def f(x, o)\n y = x * 2.0\n o + y\nend\n20.times { f(1.0, 1.0) }\nbegin\n f(1.5, nil)\n\
         rescue => e\n p e.message\nend",
        "\"undefined method '+' for nil\"\n",
    );
}

#[test]
fn operators_that_saw_integers_and_floats_give_what_they_are_given() {
    check(
        "def less(a) = a - 2\ndef sum(a, b) = a + b\n40.times { |i| less(i.odd? ? i : i * 0.5); sum(i.odd? ? i : 0.5, \
         i % 3 == 0 ? i : 1.5) }\np less(4), less(4.0), sum(1, 3), sum(1, 1.5), sum(0.5, 3)",
        "2\n2.0\n4\n2.5\n3.5\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn numbers_of_different_kinds_are_compared_exactly() {
    check(
        r##"def lt(a, b) = a < b
def eq(a, b) = a == b
60.times { |i| lt(i, 2.5); lt(1.5, i); eq(i, 3.0); eq(2.0, i) }
p lt(2**53, 2.0**53), lt(2**53 + 1, 2.0**53), lt(2.0**53, 2**53 + 1)
p eq(2**53 + 1, 2.0**53), eq(4, 4.0), lt(1, Float::NAN)"##,
        "false\n\
         false\n\
         true\n\
         false\n\
         true\n\
         false\n",
    );
}
