//! Comparison of objects.

use super::check;

// Recorded from CRuby 4.1dev.
#[test]
fn objects_are_compared_by_identity_until_they_get_a_method_for_it() {
    check(
        "class P; attr_reader :v; def initialize(v) = @v = v; end
def ne(a, b) = a != b
def eq(a, b) = a == b
a, b = P.new(1), P.new(1)
r = nil
60.times { r = [ne(a, b), ne(a, a), eq(a, b), eq(a, a)] }
p r
class P; def ==(o) = v == o.v; end
60.times { r = [ne(a, b), ne(a, a), eq(a, b), eq(a, a)] }
p r
class P; def !=(o) = :x; end
p ne(a, b)",
        "[true, false, false, true]\n[false, false, true, true]\n:x\n",
    );
}
