//! Programs that run compiled from the first call on print what they print in the interpreter.

use std::process::{Command, Stdio};

/// Runs the program without the compiler, with everything compiled at once, and with code compiled in its middle.
#[track_caller]
fn check(code: &str, expected: &str) {
    for switches in [&["--jit=off"] as &[&str], &["--jit-threshold=1"], &["--jit-threshold=7"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
        command.args(switches).args(["-e", code]).env_remove("RUBYOPT").stdin(Stdio::null());
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(out, expected, "{switches:?}\n{err}");
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
fn methods_and_operators_are_redefined_while_compiled_code_runs() {
    check("def g = 1\ndef f = g\n20.times { f }\np f\ndef g = 2\np f", "1\n2\n");
    check("def f(a, b) = a + b\n20.times { f(1, 2) }\nclass Integer\n def +(o) = 42\nend\np f(1, 2)", "42\n");
    check(
        "def f(n)\n i = 0\n while i < n\n  Integer.class_eval('def *(o) = 7') if i == 30\n  r = i * 2\n  i = i.succ\n end\n r\nend\np f(60)",
        "7\n",
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
        "def each_of(n)\n i = 0\n while i < n\n  yield i\n  i += 1\n end\nend\ndef find(n) = each_of(100) { |i| return i if i * i > n }\np find(200)",
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
