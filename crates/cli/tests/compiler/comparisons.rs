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

// Recorded from CRuby 4.1dev.
#[test]
fn operands_that_may_be_numbers_symbols_or_nil_are_compared_by_their_words() {
    check(
        "def eq(list, i, v) = list[i] == v
def ne(list, i, v) = list[i] != v
def which(list, i, v) = list[i] == v ? :same : :other
LIST = [nil, 1, :a, true, false, 1.0, 2**70, 'x', nil]
OTHERS = [nil, 1, :a, true, false, 1.0, 2**70, 'x']
def at(i, v) = [eq(LIST, i, v), ne(LIST, i, v), which(LIST, i, v)]
def all = OTHERS.map { |v| (0..9).count { |i| at(i, v) == [true, false, :same] } }
r = nil
100.times { r = [eq(LIST, 0, 1), eq(LIST, 1, 1), eq(LIST, 2, :a), ne(LIST, 0, nil), which(LIST, 3, :a)] }
p r
60.times { r = all }
p r
class NilClass; def ==(o) = true; end
p eq(LIST, 0, 1), which(LIST, 0, :a), which(LIST, 2, nil)",
        "[false, true, true, false, :other]\n[3, 2, 1, 1, 1, 2, 1, 1]\ntrue\n:same\n:other\n",
    );
}
