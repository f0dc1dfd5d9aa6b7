//! Arrays that compiled code changes.

use super::check;

// Recorded from CRuby 4.1dev.
#[test]
fn what_is_appended_is_kept() {
    check(
        r##"class Own < Array; end
def shift(a, x) = a << x
def one(a, x) = a.push(x)
def literal(a) = a.push("x") << "y"
def all
  shared = [1, 2, 3] * 40
  part = shared[10, 100]
  [shift(part, 7).size, one(shared, 8).size, part.last, shared.last, shift(Own.new, 1).class,
   one(Own.new([2]), 1), (shift([1].freeze, 2) rescue $!.class), (one([].freeze, 2) rescue $!.message), literal([]),
   one([], [1]), shift(+"a", "b"),
   shift(3, 2), 70.times.inject([]) { |a, i| one(a, "s#{i}") }.last]
end
first = all
200.times { raise "differs" unless all == first }
a = literal([])
a[0] << "changed"
p literal([]), *first
class Array; def <<(x) = concat([x, x]); end
p shift([], 1), one([], 1)"##,
        "[\"x\", \"y\"]\n\
         101\n\
         121\n\
         7\n\
         8\n\
         Own\n\
         [2, 1]\n\
         FrozenError\n\
         \"can't modify frozen Array: []\"\n\
         [\"x\", \"y\"]\n\
         [[1]]\n\
         \"ab\"\n\
         12\n\
         \"s69\"\n\
         [1, 1]\n\
         [1]\n",
    );
}
