//! Programs that are compiled from the first call on print the same as in the interpreter.

mod arrays;
mod calls;
mod closures;
mod comparisons;
mod forwarding;
mod globals;
mod golden;
mod inlining;
mod large;
mod leaving;
mod loops;
mod many_shapes;
mod memory;
mod numbers;
mod operators;
mod redefinition;
mod reflection;
mod variables;

use std::process::{Command, Stdio};

/// Runs the program without the compiler, with everything compiled at once, with code compiled twice while it runs
/// (baseline, then in full), and with exits at every second and every fifth instruction.
#[track_caller]
pub fn check(code: &str, expected: &str) {
    let every: [&[&str]; 5] = [
        &["--jit=off"],
        &["--jit-threshold=1", "--jit-stats"],
        &["--jit-threshold=2", "--jit-full-after=4"],
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
