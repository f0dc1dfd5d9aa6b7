//! Programs that are compiled from the first call on print the same as in the interpreter.

mod arrays;
mod closures;
mod comparisons;
mod forwarding;
mod globals;
mod golden;
mod large;
mod leaving;
mod many_shapes;
mod memory;
mod operators;
mod reflection;

use std::process::{Command, Stdio};

/// Runs the program without the compiler, with everything compiled at once, with code compiled while it runs, and with
/// exits at every second and every fifth instruction.
#[track_caller]
pub fn check(code: &str, expected: &str) {
    let every: [&[&str]; 5] = [
        &["--jit=off"],
        &["--jit-threshold=1", "--jit-stats"],
        &["--jit-threshold=7"],
        &["--jit-threshold=1", "--jit-exit-every=2"],
        &["--jit-threshold=3", "--jit-exit-every=5"],
    ];
    for switches in every {
        let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
        command.args(switches).args(["-e", code]).env_remove("RUBYOPT").stdin(Stdio::null());
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(out, expected, "{switches:?}\n{err}");
        // Without this, a failure of the compiler itself would go unnoticed.
        let refused = err.lines().find_map(|line| line.strip_prefix("refused"));
        assert!(refused.is_none_or(|count| count.trim() == "0"), "{switches:?}\n{err}");
    }
}

#[test]
fn calls_among_compiled_methods() {
    check("def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)\np fib(15)", "610\n");
    check(
        "def odd(n) = n == 0 ? false : even(n - 1)\ndef even(n) = n == 0 ? true : odd(n - 1)\np even(3000)",
        "true\n",
    );
}

#[test]
fn a_loop_is_entered_while_it_runs() {
    check("i = 0\ns = 0.0\nwhile i < 100\n s = s * 0.5 + i\n i += 1\nend\np s", "196.0\n");
}

#[test]
fn a_loop_with_a_block_that_sets_variables_around_it() {
    check("s = 0\n50.times { |i| s += i }\nkeep = -> { s }\n50.times { |i| s += i }\np s, keep.call", "2450\n2450\n");
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
fn what_compiled_code_relies_on_changes_again_and_again() {
    // The constant changes more often than code is compiled again for such changes.
    check(
        "N = 0\ndef m(x) = x\ndef change(i)\n Object.send(:remove_const, :N)\n Object.const_set(:N, i)\n\
         Object.class_eval(\"def m(x) = x + #{i}\")\nend\ndef step(i)\n change(i) if i % 30 == 0\n m(0) + N\nend\n\
         sum = i = 0\nwhile i < 600\n sum += step(i) + m(1) - N\n i += 1\nend\np sum",
        "342600\n",
    );
}

#[test]
fn a_module_keeps_its_variables_when_it_gets_methods_of_its_own() {
    check(
        "module Log\n @lines = []\n def self.lines = @lines\n def self.set(x) = @lines = x\nend\n\
         60.times { |i| Log.set(Log.lines + [i]) }\np Log.lines.sum",
        "1770\n",
    );
}

#[test]
fn methods_and_operators_are_redefined_while_compiled_code_runs() {
    check("def g = 1\ndef f = g\n20.times { f }\np f\ndef g = 2\np f", "1\n2\n");
    check("def f(a, b) = a + b\n20.times { f(1, 2) }\nclass Integer\n def +(o) = 42\nend\np f(1, 2)", "42\n");
    check(
        "def f(n)\n i = 0\n while i < n\n  Integer.class_eval('def *(o) = 7') if i == 30\n  r = i * 2\n  i = i.succ\n \
         end\n r\nend\np f(60)",
        "7\n",
    );
}

#[test]
fn code_that_uses_redefined_operations_is_compiled() {
    let code = "class Null\n def nil? = true\n def ! = :not\nend\nclass Array\n def size = 5\nend\n\
                class Integer\n def succ = 7\nend\n\
                def f(v, list) = [v.nil?, !v, list.size, 1.succ, v.nil? ? 1 : 2]\n\
                300.times { |i| f([nil, 1, 'a', Null.new][i % 4], [i]) }\n\
                p f(nil, []), f(1, [1]), f(Null.new, [])\n\
                class Symbol\n def nil? = 1\nend\n300.times { f(:a, []) }\np f(:a, []), f(nil, [])";
    let expected = "[true, true, 5, 7, 1]\n[false, false, 5, 7, 2]\n[true, :not, 5, 7, 1]\n\
                    [1, false, 5, 7, 1]\n[true, true, 5, 7, 1]\n";
    check(code, expected);
    let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
    let output = command.args(["--jit-threshold=20", "--jit-stats", "-e", code]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!err.contains("interpreted runs"), "{err}");
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

/// Expected: what CRuby 4.1dev prints.
#[test]
fn variables_of_classes_and_attributes_are_where_the_shape_says() {
    check(
        r#"
class Conf
  class << self
    attr_accessor :a, :never
    def cached(k) = (@cache ||= {})[k] ||= k * 2
    def unset = @nope
    def bump = @n = (@n || 0) + 1
  end
end
class Sub < Conf; end
class Big
  attr_accessor(*(1..20).map { |i| :"v#{i}" }, :late)
  def initialize = (1..20).each { |i| instance_variable_set("@v#{i}", i) }
end
class Text < String
  attr_accessor :x
end
class Lazy
  attr_reader :q, :r
  def r! = @r ||= 5
  def q! = @q ||= 7
end
out = []
60.times do |i|
  [Conf, Sub].each { |c| c.a = i; out << [c.a, c.never, c.cached(i % 5), c.unset, c.bump] }
  b, s, l = Big.new, Text.new("a"), Lazy.new
  b.v20 = i
  b.late = i if i.odd?
  s.x = i
  i.even? ? (l.r!; l.q!) : l.q!
  out << [b.v1, b.v20, b.late, s.x, l.q, l.r]
end
p out[0, 3], out[-3, 3]
begin
  Conf.freeze.a = 1
rescue => e
  p e.class
end
def set(o, v) = o.k[0] = v
class Box
  def k = self
  def [](i) = @v
  def []=(i, v)
    @v = v
    :ignored
  end
end
list = [Box.new, Class.new(Box).new, Class.new(Box).new]
p 60.times.map { |i| [set(list[i % 3], i), list[i % 3][0]] }.last
"#,
        r#"[[0, nil, 0, nil, 1], [0, nil, 0, nil, 1], [1, 0, nil, 0, 7, 5]]
[[59, nil, 8, nil, 60], [59, nil, 8, nil, 60], [1, 59, 59, 59, 7, nil]]
FrozenError
[59, 59]
"#,
    );
}

#[test]
fn what_is_not_as_expected_is_left_to_the_interpreter() {
    // Elements of arrays, then of hashes; indexes out of bounds and negative ones.
    check(
        "def f(l, i) = l[i]\n20.times { f([1, 2], 1) }\np f([1], 1), f([1], -1), f({ 1 => :a }, 1), f('ab', 0)",
        "nil\n1\n:a\n\"a\"\n",
    );
    check(
        "def f(l, i, v)\n l[i] = v\n l\nend\n20.times { f([1, 2], 1, 3) }\n\
         p f([1], 3, 4), f({}, 1, 2), f([1, 2], 0, 'x')\nbegin\n f([1].freeze, 0, 2)\nrescue => e\n p e.class\nend",
        "[1, nil, nil, 4]\n{1 => 2}\n[\"x\", 2]\nFrozenError\n",
    );
    // An Array whose elements are shared is copied before it changes.
    check(
        "def f(l, v)\n l[0] = v\n l\nend\na = Array.new(100, 1)\n20.times { f(a, 2) }\nb = a.dup\nf(b, 3)\n\
         p a[0], b[0]",
        "2\n3\n",
    );
    // Receivers of an increasing number of shapes, read and set.
    check(
        "class A\n attr_accessor :x\n def initialize(x) = @x = x\n def y = @x\nend\n\
         B = Class.new(A) { def initialize(x) = (@z = 1; super) }\nC = Class.new(A) { def y = @x * 2 }\n\
         def f(o)\n o.x = o.x + 1\n o.y\nend\n\
         20.times { f(A.new(1)) }\n20.times { f(B.new(1)) }\np f(A.new(1)), f(B.new(2)), f(C.new(3))\n\
         begin\n f(A.new(1).freeze)\nrescue => e\n p e.class\nend",
        "2\n3\n8\nFrozenError\n",
    );
    // A constant that is set again, and an `initialize` that is redefined.
    check("K = 1\ndef f = K\n20.times { f }\np f\nObject.send(:remove_const, :K)\nK = 2\np f", "1\n2\n");
    check(
        "class P\n attr_reader :a\n def initialize(a)\n  @a = a\n end\nend\ndef f(a) = P.new(a).a\n\
         20.times { f(1) }\np f(2)\nclass P\n def initialize(a)\n  @a = -a\n end\nend\np f(3)",
        "2\n-3\n",
    );
    // A big Integer and a Float are compared exactly.
    check(
        "def f(a, b) = a == b\n20.times { f(1.5, 2.5) }\n\
         p f(2**53 + 1, (2**53).to_f), f(1, 1.0), f(nil, nil), f(0.0, -0.0)",
        "false\ntrue\ntrue\ntrue\n",
    );
    check(
        "def f(a) = a == nil\n20.times { f(1) }\no = Object.new\ndef o.==(other) = :mine\np f(nil), f(false), f(o)",
        "true\nfalse\n:mine\n",
    );
    // Remainders of both signs, and by zero.
    check(
        "def f(a, b) = a % b\n20.times { f(7, 3) }\np f(-7, 3), f(7, -3), f(7.5, 2)\n\
         begin\n f(1, 0)\nrescue => e\n p e.class\nend",
        "2\n-2\n1.5\nZeroDivisionError\n",
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
fn equality_that_a_program_defines() {
    check(
        "class A\n def ==(o) = true\nend\ndef f(a) = a != false ? 1 : 2\ndef g(a) = a == false ? 1 : 2\n\
         20.times { f(true); g(nil) }\np f(true), f(false), f(A.new), g(true), g(false), g(A.new)",
        "1\n2\n2\n2\n1\n1\n",
    );
}

#[test]
fn exceptions_and_jumps_cross_compiled_frames() {
    check(
        "def f(n) = n == 0 ? raise('end') : f(n - 1)\nbegin\n f(20)\nrescue => e\n p e.message, e.backtrace.size\nend",
        "\"end\"\n22\n",
    );
    check(
        "def each_of(n)\n i = 0\n while i < n\n  yield i\n  i += 1\n end\nend\n\
         def find(n) = each_of(100) { |i| return i if i * i > n }\np find(200)",
        "15\n",
    );
    check(
        "p (1..50).each { |i| break i * 2 if i == 30 }, catch(:x) { 30.times { |i| throw :x, i if i == 20 } }",
        "60\n20\n",
    );
    check("def f(x)\n yield x\nensure\n $log = x\nend\n20.times { |i| f(i) { |y| next y } }\np $log", "19\n");
}

#[test]
fn endless_recursion_is_a_system_stack_error() {
    check("def f(n) = f(n + 1) + 1\nbegin\n f(0)\nrescue SystemStackError => e\n p e.class\nend", "SystemStackError\n");
    check("def f(n) = n == 0 ? 0 : f(n - 1) + 1\np f(10_000)", "10000\n");
}

#[test]
fn bindings_see_and_set_variables() {
    check(
        "def f(n)\n i = 0\n b = binding\n while i < n\n  b.local_variable_set(:i, i + 1)\n end\n i\nend\np f(50)",
        "50\n",
    );
    check("def f\n x = 1\n 20.times { eval('x += 1') }\n x\nend\np f", "21\n");
}

#[test]
fn a_trace_point_in_the_middle_fires_and_compiled_code_comes_back() {
    check(
        "def f(n)\n i = 0\n while i < n\n  i += 1\n end\n i\nend\nf(50)\nlines = []\n\
         t = TracePoint.new(:line) { |tp| lines << tp.lineno }\n\
         t.enable(target: method(:f)) { f(2) }\nf(50)\np lines",
        "[2, 3, 4, 4, 6]\n",
    );
    check(
        "def g = $t&.enable\ndef f(n)\n i = 0\n while i < n\n  g if i == 30\n  i += 1\n end\n i\nend\n$n = 0\nf(20)\n\
         $t = TracePoint.new(:line) { |tp| $n += 1 if tp.method_id == :f }\nf(32)\n$t.disable\np $n",
        "4\n",
    );
}

#[test]
fn objects_move_and_die_under_compiled_code() {
    check(
        "class P\n attr_reader :v\n def initialize(v) = @v = v\n def plus(o) = P.new(@v + o.v)\nend\n\
         a = P.new(0)\n200.times { |i| a = a.plus(P.new(i)); GC.compact if i == 100; GC.start if i % 50 == 0 }\np a.v",
        "19900\n",
    );
}

#[test]
fn fibers_and_threads_run_compiled_code() {
    check("f = Fiber.new { 30.times { |i| Fiber.yield i }; :end }\np 31.times.map { f.resume }.last", ":end\n");
    check(
        "def f(n) = n < 2 ? n : f(n - 1) + f(n - 2)\np 4.times.map { |i| Thread.new { f(10 + i) } }.map(&:value)",
        "[55, 89, 144, 233]\n",
    );
}

#[test]
fn blocks_are_inlined_with_their_method() {
    let point = "class P\n attr_reader :x\n def initialize(x) = @x = x\n def twice = @x * 2\nend\n\
                 A = (1..40).map { |i| P.new(i) }\n";
    check(&format!("{point}def f = A.sum {{ |e| e.twice }}\n60.times {{ f }}\np f"), "1640\n");
    check(&format!("{point}def f\n s = 0\n A.each {{ |e| s += e.twice }}\n s\nend\n60.times {{ f }}\np f"), "1640\n");
    check(
        "def f(n)\n t = 0\n n.times { |i| n.times { |j| t += i * j } }\n t\nend\n60.times { f(9) }\np f(9)",
        "1296\n",
    );
    check("def f(n) = n.times { |i| yield i }\ns = 0\n60.times { f(5) { |i| s += i } }\np s", "600\n");
}

#[test]
fn what_leaves_an_inlined_block_goes_where_it_would() {
    let list = "A = (1..40).to_a\n";
    check(&format!("{list}def f = A.each {{ |e| break e if e > 20 }}\n60.times {{ f }}\np f"), "21\n");
    check(&format!("{list}def f\n A.each {{ |e| return e if e > 20 }}\n 0\nend\n60.times {{ f }}\np f"), "21\n");
    check(&format!("{list}def f = A.map {{ |e| next 0 if e > 2; e }}\n60.times {{ f }}\np f.sum"), "3\n");
    check(
        &format!(
            "{list}def f\n A.each {{ |e| begin; return e if e > 5; ensure; $n += 1; end }}\nend\n$n = 0\n\
             60.times {{ f }}\np f, $n"
        ),
        "6\n366\n",
    );
}

#[test]
fn core_classes_make_their_instances_with_a_block() {
    check("def f(n) = Array.new(n) { |i| i * n }\n60.times { f(3) }\np f(3)", "[0, 3, 6]\n");
    check("def f(n) = Array.new(n) { |i| break :out if i == 2; i }\n60.times { f(5) }\np f(5), f(2)", ":out\n[0, 1]\n");
    check(
        "def f = Array.new(-1) { 0 }\n60.times { f rescue 0 }\nbegin; f; rescue => e; puts e.message; end",
        "negative array size\n",
    );
    check("class L < Array; end\ndef f(n) = L.new(n) { |i| i }\n60.times { f(2) }\np f(2), f(2).class", "[0, 1]\nL\n");
}

#[test]
fn an_exception_in_an_inlined_body_shows_all_frames() {
    check(
        "def low(n) = n == 30 ? raise('x') : n\ndef mid(n) = low(n)\ndef top = 40.times { |n| mid(n) }\n\
         60.times { begin; top; rescue; end }\nbegin; top; rescue => e; puts e.backtrace; end",
        "-e:1:in 'Object#low'\n-e:2:in 'Object#mid'\n-e:3:in 'block in Object#top'\n-e:3:in 'Integer#times'\n\
         -e:3:in 'Object#top'\n-e:5:in '<main>'\n",
    );
}

#[test]
fn variables_of_an_inlined_body_are_kept_when_something_holds_on_to_them() {
    check("def keep(x) = -> { x += 1 }\nl = nil\n60.times { |i| l = keep(i) }\np l.call, l.call", "60\n61\n");
    check(
        "def b(x)\n y = x * 2\n binding\nend\nr = nil\n60.times { |i| r = b(i) }\np r.local_variable_get(:y)",
        "118\n",
    );
    check("def f(s)\n s =~ /b(.)/\n $1\nend\nr = nil\n60.times { |i| r = f(\"ab#{i}\") }\np r, $~", "\"5\"\nnil\n");
    check(
        "def each2 = yield\ndef f\n ps = []\n 3.times { |i| each2 { ps << -> { i } } }\n ps.map(&:call)\nend\n\
         60.times { f }\np f",
        "[0, 1, 2]\n",
    );
}

#[test]
fn optional_parameters_of_an_inlined_method_get_their_defaults() {
    check(
        "def g(a, b = a + 1, c = b * 2)\n d = nil\n [a, b, c, d]\nend\ndef f = [g(1), g(1, 5), g(1, 5, 0)]\n\
           60.times { f }\np f",
        "[[1, 2, 4, nil], [1, 5, 10, nil], [1, 5, 0, nil]]\n",
    );
}

#[test]
fn a_trace_point_on_an_inlined_method_fires() {
    check(
        "def low(n)\n n + 1\nend\ndef top(n) = low(n) + low(n)\n60.times { |i| top(i) }\nlines = []\n\
         t = TracePoint.new(:line) { |tp| lines << tp.lineno }\nt.enable(target: method(:low)) { top(1) }\n\
         60.times { |i| top(i) }\np lines",
        "[2, 2]\n",
    );
}

#[test]
fn code_that_is_compiled_beside_the_program_is_taken_into_use() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
    let program = "def f(n) = n * 2\ns = 0\n\
                   1_000_000.times { |i| s += f(i) }\np s";
    command.args(["--jit", "--jit-stats", "-e", program]).env_remove("RUBYOPT").stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "999999000000\n");
    let statistics = String::from_utf8_lossy(&output.stderr).into_owned();
    let compiled = statistics.lines().find_map(|line| line.strip_prefix("compiled code"));
    assert_ne!(compiled.map(str::trim), Some("0"), "{statistics}");
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
fn operators_that_saw_integers_and_floats_give_what_they_are_given() {
    check(
        "def less(a) = a - 2\ndef sum(a, b) = a + b\n40.times { |i| less(i.odd? ? i : i * 0.5); sum(i.odd? ? i : 0.5, \
         i % 3 == 0 ? i : 1.5) }\np less(4), less(4.0), sum(1, 3), sum(1, 1.5), sum(0.5, 3)",
        "2\n2.0\n4\n2.5\n3.5\n",
    );
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

// Recorded from CRuby 4.1dev.
#[test]
fn a_unit_learns_further_blocks() {
    check(
        r##"s = []
6.times { |n| 300.times { |i| s << n if i == 299 } }
300.times { |i| s << :a if i == 299 }
300.times { |i| s << :b if i == 299 }
300.times { |i| s << :c if i == 299; next if i.odd? }
def each_twice(&b) = 2.times(&b)
each_twice { |i| s << i }
p s, 300.times { |i| break i if i == 250 }"##,
        "[0, 1, 2, 3, 4, 5, :a, :b, :c, 0, 1]\n\
         250\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn an_exception_of_a_method_without_a_frame_shows_it() {
    check(
        r##"def f(x) = x.floor
def g(a) = a.push(1)
60.times { f(1.5); g([]) }
begin; f(Float::NAN); rescue => e; puts e.message, e.backtrace_locations.first(2).map(&:label); end
begin; g([].freeze); rescue => e; puts e.message, e.backtrace_locations.first(2).map(&:label); end
seen = []
TracePoint.new(:raise) { |t| seen << t.raised_exception.class }.enable { f(Float::INFINITY) rescue 0 }
p seen"##,
        "NaN\n\
         Float#floor\n\
         Object#f\n\
         can't modify frozen Array: []\n\
         Array#push\n\
         Object#g\n\
         [FloatDomainError]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn variables_are_found_by_the_shape_of_self() {
    check(
        r##"class A
  def initialize(v) = (@a = v; @b = 1)
  def get = @a
  def set(v) = @c = v
  def sum = get + @b
end
class B < A; def initialize(v) = (@x = 0; super); end
class C < A; def initialize(v) = (@y = @z = 0; super; @a = 5); end
class D < Random; def initialize(s) = (super; @b = 1; @a = s); def get = @a; def up = @a += 1; end
all = [A.new(1), B.new(2), C.new(3), D.new(4)]
60.times { all.each { |o| o.get; o.set(7) if o.is_a?(A) } }
p all.map(&:get), all[0, 3].map(&:sum), all.last.up, all.map { |o| o.instance_variables.sort }
p((all[0].freeze.set(1) rescue $!.class))"##,
        "[1, 2, 5, 4]\n\
         [2, 3, 6]\n\
         5\n\
         [[:@a, :@b, :@c], [:@a, :@b, :@c, :@x], [:@a, :@b, :@c, :@y, :@z], [:@a, :@b]]\n\
         FrozenError\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn variables_of_outer_scopes_are_set_where_they_are() {
    check(
        r##"def counter
  n = nil
  add = ->(v) { n = v; n }
  [add, -> { n }]
end
add, get = counter
80.times { |i| add.call("v#{i}"); GC.start if i % 40 == 0 }
p get.call
def run(n) = (s = nil; n.times { |i| s = [i] }; s)
p run(100)"##,
        "\"v79\"\n\
         [99]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn members_of_structs_are_read_and_set() {
    check(
        r##"S = Struct.new(:a, :b)
D = Data.define(:x)
s = S.new(1, 2)
60.times { |i| s.a = i; s.b = [s.a] }
p s, D.new(x: 3).x, (s.freeze.then { s.a = 1 } rescue $!.class)
class S; def a = 42; end
p s.a"##,
        "#<struct S a=59, b=[59]>\n\
         3\n\
         FrozenError\n\
         42\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn classes_that_define_operators_leave_those_of_symbols_alone() {
    check(
        r##"class P; include Comparable; def <=>(o) = 0; def ==(o) = true; def ===(o) = true; def !=(o) = false; end
def f(x) = [x == nil, x != :a, nil == x, (case x when :a then 1 when nil then 2 else 3 end)]
60.times { f(:a); f(nil); f(1) }
p f(:a), f(nil), f(1), f(P.new)
class Symbol; def ==(o) = :mine; end
p f(:a)[0], (:a == :b)"##,
        "[false, false, false, 1]\n\
         [true, true, true, 2]\n\
         [false, true, false, 3]\n\
         [true, false, false, 3]\n\
         :mine\n\
         :mine\n",
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

// Recorded from CRuby 4.1dev.
#[test]
fn block_parameters_and_lambdas_stay_compiled() {
    check(
        r##"def m(&b) = b.call(1)
def pass(&b) = [1, 2].map(&b)
def make(n) = ->(x) { x + n }
r = nil
60.times { |i| r = [m { |v| v + i }, pass { |v| v * i }, make(i).(1), "lit".freeze.frozen?, -"x"] }
p r
class K; @@n = 0; def up = @@n += 1; end
60.times { K.new.up }
p K.new.up, (1 <=> 2), 5.succ, -(2**62).succ, [3, 1, 2].sort { |a, b| b <=> a }"##,
        "[60, [59, 118], 60, true, \"x\"]\n\
         61\n\
         -1\n\
         6\n\
         -4611686018427387905\n\
         [3, 2, 1]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn elements_that_are_references_are_stored_in_line() {
    check(
        r##"def swap(a, i, j) = (a[i], a[j] = a[j], a[i])
a = (0..9).map(&:to_s)
100.times { |i| swap(a, i % 10, 9); GC.start if i % 50 == 0 }
p a
b = a.dup
b[0] = +"own"
p a[0] == b[0], (a.freeze.then { swap(a, 0, 1) } rescue $!.class)"##,
        "[\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]\n\
         false\n\
         FrozenError\n",
    );
}
