//! Arguments that `...` passes on.

use super::check;

// Recorded from CRuby 4.1dev.
#[test]
fn arguments_that_are_forwarded() {
    check(
        r##"def va(*a) = a
def rq(a, b) = [b, a]
def op(a, b = 2, *c, d: 4, **e, &f) = [a, b, c, d, e, f&.call]
def fwd(...) = va(...)
def fwr(...) = rq(...)
def fwo(...) = op(...)
def fwl(x, ...) = op(x, ...)
def again(...) = fwo(...)
class A; def m(*a, **k, &b) = [a, k, b&.call]; def n(a, b) = [a, b]; end
class B < A; def m(...) = super(...); def n(...) = super; end
def all
  r = [fwd, fwd(1), fwd(1, 2), fwd(a: 1), fwd(1, {a: 1}), fwd(*[1, 2], **{})]
  r << fwr(1, 2) << (fwr(1) rescue $!.message) << (fwr(1, 2, 3) rescue $!.message)
  r << fwo(1) << fwo(1, 3, 5) << fwo(1, d: 5) << fwo(1, z: 5) { 7 } << fwl(1, 2) << fwl(1, d: 3) << again(1) { 8 }
  r << B.new.m << B.new.m(1, k: 2) { 3 } << B.new.n(1, 2) << (B.new.n(1) rescue $!.message)
end
first = all
60.times { raise unless all == first }
puts first.map(&:inspect)
h = {a: 1}
p fwd(**h).first.equal?(h), h"##,
        "[]\n\
         [1]\n\
         [1, 2]\n\
         [{a: 1}]\n\
         [1, {a: 1}]\n\
         [1, 2]\n\
         [2, 1]\n\
         \"wrong number of arguments (given 1, expected 2)\"\n\
         \"wrong number of arguments (given 3, expected 2)\"\n\
         [1, 2, [], 4, {}, nil]\n\
         [1, 3, [5], 4, {}, nil]\n\
         [1, 2, [], 5, {}, nil]\n\
         [1, 2, [], 4, {z: 5}, 7]\n\
         [1, 2, [], 4, {}, nil]\n\
         [1, 2, [], 3, {}, nil]\n\
         [1, 2, [], 4, {}, 8]\n\
         [[], {}, nil]\n\
         [[1], {k: 2}, 3]\n\
         [1, 2]\n\
         \"wrong number of arguments (given 1, expected 2)\"\n\
         false\n\
         {a: 1}\n",
    );
}

#[test]
fn blocks_of_the_caller_are_passed_on() {
    check(
        r##"def target(a, *rest, &b) = b ? b.call(a, rest) : [a, rest]
def yielder(x) = block_given? ? yield(x) : :none
def pass(*args, &block) = target(*args, &block)
def pass2(x, &block) = yielder(x, &block)
def made(x, &block) = (block.call(x); yielder(x, &block))
def sent(x, &block) = send(:yielder, x, &block)
def more(x, *rest, &block) = target(x, 1, *rest, &block)
def find_in(list, &block) = list.each { |x| return x if pass2(x, &block) == true }
def all
  [pass(1), pass(1, 2) { |a, r| a + r[0] }, pass2(3), pass2(3) { next 5 }, [1, 2].each { |x| pass2(x) { break :out } },
   pass2(4, &:to_s), pass2(4, &->(x) { x * 2 }), made(6) { _1 }, sent(7), sent(7) { -_1 }, more(8), more(8, 9),
   more(8, 9) { |*a| a }, find_in([1, 2, 3], &:even?), find_in([1, 3]) { |x| x > 2 }]
end
40.times { pass(1); pass2(1); sent(1); more(1, 2) }
first = all
40.times { all }
p first == all, all"##,
        "true\n\
         [[1, []], 3, :none, 5, [1, 2], \"4\", 8, 6, :none, -7, [8, [1]], [8, [1, 9]], [8, [1, 9]], 2, 3]\n",
    );
}

#[test]
fn a_block_is_passed_on_after_its_frame_was_captured_or_left() {
    check(
        r##"def yielder(x) = block_given? ? yield(x) : :none
def captured(&b) = [binding.local_variable_get(:b).class, yielder(1, &b)]
def replaced(to, &b) = (binding.local_variable_set(:b, to); yielder(2, &b))
def later(&b) = proc { |x| yielder(x, &b) }
def in_fiber(&b) = Fiber.new { yielder(3, &b) }.resume
def in_thread(&b) = Thread.new { yielder(4, &b) }.value
def twice(x, &b) = (yielder(x, &b); yielder(x, &b))
def message
  yield
rescue LocalJumpError => e
  e.message
end
def returned = (twice(1) { |x| return x }; :not)
def all
  n = 0
  [captured, captured { 5 }, replaced(nil) { 6 }, replaced(->(x) { -x }), later { |x| x + 1 }.call(6), later.call(7),
   in_fiber { |x| x * 2 }, in_thread { |x| x * 3 }, twice(8) { |x| n += 1; redo if n < 4; [x, n] }, returned,
   twice(9) { |x| break [x] }, message { later { break 1 }.call(2) }]
end
first = all
40.times { raise unless all == first }
puts first.map(&:inspect)"##,
        "[NilClass, :none]\n\
         [Proc, 5]\n\
         :none\n\
         -2\n\
         7\n\
         :none\n\
         6\n\
         12\n\
         [8, 5]\n\
         1\n\
         [9]\n\
         \"break from proc-closure\"\n",
    );
}
