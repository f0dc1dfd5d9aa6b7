//! Call sites that see more shapes than their inline caches have places for.

use super::{
    check,
    memory::{count, run},
};

/// Eight classes whose instances have shapes of their own, and a loop that makes each site see all of them.
const CLASSES: &str = "class Base\n attr_reader :x\n def twice = @x * 2\n def to_s = \"b#{twice}\"\nend\n\
    KINDS = (0..7).map do |n|\n Class.new(Base) do\n  define_method(:initialize) do\n   \
    n.times { |i| instance_variable_set(\"@v#{i}\", i) }\n   @x = n\n  end\n end\nend\n\
    OBJECTS = KINDS.map(&:new)\n";

#[test]
fn inherited_methods_and_attributes_are_called() {
    let code = "def f(o) = [o.x, o.twice, o.to_s]\n\
        30.times { OBJECTS.each { |o| f(o) } }\np OBJECTS.map { |o| f(o) }.transpose\n\
        p f(Struct.new(:x, :twice).new(1, 2))[0, 2]";
    let expected = "[[0, 1, 2, 3, 4, 5, 6, 7], [0, 2, 4, 6, 8, 10, 12, 14], \
        [\"b0\", \"b2\", \"b4\", \"b6\", \"b8\", \"b10\", \"b12\", \"b14\"]]\n[1, 2]\n";
    check(&format!("{CLASSES}{code}"), expected);
}

/// Two shapes that are found at first only must not take the places of those that come later.
#[test]
fn shapes_that_are_no_longer_found_leave_their_places() {
    let code = "kinds = (0..4).map { |n| Class.new { class_eval(\"def own = #{n}\") } }\nall = kinds.map(&:new)\n\
        def f(o) = o.own\n3.times { f(all[0]); f(all[1]) }\n\
        20_000.times { |i| f(all[2 + i % 3]) }\np all.map { |o| f(o) }";
    let output = run(&["--jit-threshold=50", "--jit-stats"], code);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(out, "[0, 1, 2, 3, 4]\n");
    let calls = err.lines().find_map(|line| line.strip_prefix("calls of Call ")?.trim().parse::<u32>().ok());
    assert!(calls.is_none_or(|calls| calls < 1000), "{err}");
}

/// What a `super` calls does not depend on the receiver. The second site finds what the first one has looked up.
#[test]
fn a_super_is_called_in_line_for_all_shapes() {
    let code = "class Base\n def sum(n) = @x + n\nend\nclass Middle < Base\n \
        def sum(n) = n > 0 ? super(n) : super(1)\nend\n\
        all = (0..7).map { |n| o = Middle.new; n.times { |i| o.instance_variable_set(\"@v#{i}\", i) }\n \
        o.instance_variable_set(:@x, n); o }\n\
        def f(o) = [o.sum(2), o.sum(0)]\n20_000.times { |i| f(all[i % 8]) }\np all.map { |o| f(o) }";
    let output = run(&["--jit-threshold=50", "--jit-stats"], &format!("{CLASSES}{code}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(out, "[[2, 1], [3, 2], [4, 3], [5, 4], [6, 5], [7, 6], [8, 7], [9, 8]]\n");
    let calls = err.lines().find_map(|line| line.strip_prefix("calls of AnyCall ")?.trim().parse::<u32>().ok());
    assert!(calls.is_none_or(|calls| calls < 1000), "{err}");
}

#[test]
fn methods_of_kernel_are_called() {
    let code = "def f(o)\n \
        [o.is_a?(Base), o.is_a?(Integer), o.nil?, o == OBJECTS[3], o.equal?(OBJECTS[4]), o.frozen?]\nend\n\
        all = [*OBJECTS, 1, nil, :a, 'b', 2.0]\n\
        30.times { all.each { |o| f(o) } }\np all.map { |o| f(o).map { |v| v ? 1 : 0 }.join }";
    let expected = "[\"100000\", \"100000\", \"100000\", \"100100\", \"100010\", \"100000\", \"100000\", \"100000\", \
        \"010001\", \"001001\", \"000001\", \"000000\", \"000001\"]\n";
    check(&format!("{CLASSES}{code}"), expected);
}

#[test]
fn a_method_that_changes_for_some_shapes_is_found_again() {
    let code = "def f(o) = o.twice\n30.times { OBJECTS.each { |o| f(o) } }\n\
        KINDS[6].define_method(:twice) { super() + 100 }\nOBJECTS[5].define_singleton_method(:twice) { :own }\n\
        KINDS[4].send(:private, :twice)\nKINDS[3].undef_method(:twice)\n\
        show = -> { OBJECTS.map { |o| f(o) rescue $!.message[/private|undefined/] } }\n\
        30.times { show.() }\np show.()\nclass Base\n def twice = :new\nend\n30.times { show.() }\np show.()";
    let expected = "[0, 2, 4, \"undefined\", \"private\", :own, 112, 14]\n\
        [:new, :new, :new, \"undefined\", \"private\", :own, \"undefined\", :new]\n";
    check(&format!("{CLASSES}{code}"), expected);
}

#[test]
fn a_private_method_of_one_site_is_not_public_at_another() {
    let code = "class Base\n def ask = secret\n private\n def secret = @x\nend\n\
        def f(o) = o.secret\n30.times { OBJECTS.each(&:ask) }\n\
        30.times { OBJECTS.each { |o| begin; f(o); rescue NoMethodError; end } }\n\
        p OBJECTS.map(&:ask), OBJECTS.map { |o| f(o) rescue :private }.uniq";
    check(&format!("{CLASSES}{code}"), "[0, 1, 2, 3, 4, 5, 6, 7]\n[:private]\n");
}

#[test]
fn operators_meet_shapes_that_come_late() {
    let code = "class Store\n def initialize = @h = {}\n def [](k) = @h[k]\n def []=(k, v)\n  @h[k] = v\n end\n \
        def ==(o) = o == @h.size\n def grow(n) = instance_variable_set(\"@x#{n}\", n)\nend\n\
        def f(s, k) = (s[k] = s[k] ? s[k] + 1 : 1; s == 1 ? :one : s[k])\n\
        all = 6.times.map { |n| Store.new.tap { |s| n.times { s.grow(_1) } } }\n\
        all.each { |s| 40.times { |i| f(s, i % 3) } }\nfor s in [*all, {}, [nil, nil]]\n print f(s, 1), ' '\nend";
    check(code, "14 14 14 14 14 14 1 1 ");
}

#[test]
fn small_native_methods_are_done_in_line() {
    let code = "class Text < String\nend\nclass List < Array\nend\n\
        def f(v, k) = [v.to_s, v.instance_of?(String), v.respond_to?(:key?) && v.key?(k), v.instance_of?(Text)]\n\
        def g(l) = [l.first, l.last, l.to_a.equal?(l), l.to_ary.equal?(l)]\n\
        key = Object.new\ndef key.hash = 7\ndef key.eql?(o) = o.hash == 7\n\
        all = ['a', {'a' => 1}, {key => 2}, {}.compare_by_identity, Text.new('t'), :s]\n\
        40.times { all.each { |v| f(v, 'a'); f(v, key) } }\n\
        all.each { |v| p f(v, 'a').drop(1), f(v, key)[2], f(v, 'a')[0].equal?(v) }\n\
        lists = [[], [1], [1, nil, 3], List[4, 5]]\n40.times { lists.each { |l| g(l) } }\n\
        lists.each { |l| p g(l) }\n\
        class Array\n def first = :new\nend\np g([1])";
    let expected = "[true, false, false]\nfalse\ntrue\n[false, true, false]\nfalse\nfalse\n[false, false, false]\n\
        true\nfalse\n[false, false, false]\nfalse\nfalse\n[false, false, true]\nfalse\nfalse\n\
        [false, false, false]\nfalse\nfalse\n[nil, nil, true, true]\n[1, 1, true, true]\n[1, 3, true, true]\n\
        [4, 5, false, true]\n[:new, 1, true, true]\n";
    check(code, expected);
}

#[test]
fn the_shape_of_a_dead_class_is_not_taken_for_that_of_a_new_one() {
    // The numbers of dead classes' shapes are reused when there are many, the last one first.
    let code = "class Base\n def m = :base\nend\ndef f(o) = o.m\n\
        def clear(n = 0) = n > 50 ? [nil] * 100 : clear(n + 1)\n\
        def seen\n o = Class.new(Base).new\n o.instance_variable_set(:@a, 1)\n called = method(:f)\n \
        60.times { called.call(o) }\nend\n\
        own = -> { Class.new { def m = :own }.new }\nown.()\n1500.times { Class.new }\nseen\nclear\nGC.start\n\
        p (1..40).map { f(own.()) }.uniq";
    check(code, "[:own]\n");
}

/// Neither the methods nor the blocks are among those that the code was compiled for.
#[test]
fn methods_and_blocks_are_found_at_run_time() {
    let code = "kinds = (0..19).map { |n| Class.new { class_eval(\"attr_reader :of\\n\\
        def initialize = @of = #{n}\\ndef own(a) = (b = a; c ||= b + #{n})\\ndef each = yield(#{n})\") } }\n\
        all = kinds.map(&:new)\ndef f(o, a) = o.own(a) + o.of\ndef each = yield(1)\n\
        20_000.times { |i| f(all[i % 20], i) }\n\
        blocks = (0..19).map { |n| eval(\"->(o) { each { |a| o << a + #{n} } }\") }\n\
        out = []\n20_000.times { |i| out.clear if i % 20 == 0; blocks[i % 20].(out) }\n\
        p all.map { |o| f(o, 1) }.sum, out.sum";
    let output = run(&["--jit-threshold=50", "--jit-stats"], code);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(out, "400\n210\n");
    for kind in ["calls of Call ", "calls of Yield "] {
        let calls = err.lines().find_map(|line| line.strip_prefix(kind)?.trim().parse::<u32>().ok());
        assert!(calls.is_none_or(|calls| calls < 1000), "{err}");
    }
}

/// Copies for each of four shapes, at each of three levels of nested blocks, would be 412 bodies.
#[test]
fn a_method_of_several_shapes_is_inlined_once() {
    let level =
        |name: &str, next: &str| format!("def {name}\n  n = 1\n  each_kid {{ |kid| n += kid.{next} }}\n  n\nend\n");
    let code = format!(
        "class Node\n def initialize(kids) = @kids = kids\n \
         def each_kid\n  i = 0\n  while i < @kids.size\n   yield @kids[i]\n   i += 1\n  end\n end\n \
         {}{}{}def leaf = 1\nend\n\
         KINDS = 4.times.map {{ Class.new(Node) }}\n\
         def make(depth) = KINDS.map {{ |kind| kind.new(depth == 0 ? [] : make(depth - 1)) }}\n\
         top = make(2)\np 400.times.sum {{ top.sum {{ |node| node.size }} }}",
        level("size", "value"),
        level("value", "weight"),
        level("weight", "leaf")
    );
    let output = run(&["--jit-threshold=9", "--jit-full-after=30", "--jit-stats"], &code);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "33600\n");
    assert!(count(&output, "inlined bodies") < 300);
    check(&code, "33600\n");
}
