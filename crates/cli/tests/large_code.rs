//! Generated code with more literals, calls, constants, methods and targets than a 16-bit operand can address.

use std::process::Command;

/// Runs `source`, a program that creates one of `n` lines by `lines.()`, and checks its output.
fn check(source: &str, expected: &str) {
    let prelude = "N = 66_000; def lines = N.times.map { |i| yield i }.join(%Q(\\n));";
    let code = format!("{prelude} {source}");
    let output = Command::new(env!("CARGO_BIN_EXE_beni")).args(["-W0", "-e", &code]).output().unwrap();
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(printed, expected, "{source}\n{errors}");
}

#[test]
fn calls_of_all_kinds() {
    let object = "o = Class.new { def method_missing(name, *a, k: 0) = k + a.sum }.new; x = 0;";
    check(&format!("eval %q({object}) + lines {{ |i| %Q(x += o.m#{{i}}(1)) }} + '; p x'"), "66000\n");
    check(&format!("eval %q({object}) + lines {{ |i| %Q(x += o.m#{{i}}(*[1, 1])) }} + '; p x'"), "132000\n");
    check(&format!("eval %q({object}) + lines {{ |i| %Q(x += o.m#{{i}}(1, k: 2)) }} + '; p x'"), "198000\n");
    check("x = 0; eval lines { |i| %Q(1.then { x += 1 }) }; p x", "66000\n");
    check("x = 0; eval lines { |i| %Q(x += [1, 2].each { |y| break y }) }; p x", "66000\n");
    check("eval 'def y = (x = 0;' + lines { |i| %Q(x += yield(1)) } + '; x)'; p y { |x| x }", "66000\n");
    check(
        "class A; def m(x) = x; end
         eval 'class B < A; def m(x) = (x = 0;' + lines { |i| %Q(x += super(1)) } + '; x); end'; p B.new.m(1)",
        "66000\n",
    );
}

#[test]
fn definitions_and_constants() {
    check("eval 'class A;' + lines { |i| %Q(def m#{i} = #{i}) } + ';end'; p A.new.m65999", "65999\n");
    check("eval lines { |i| %Q(def self.m#{i} = #{i}) }; p m65999", "65999\n");
    check("eval lines { |i| %Q(C#{i} = #{i}) } + '; p C65999'", "65999\n");
    check(
        "module M; end; eval lines { |i| %Q(M::C#{i} = #{i}) } + '; x = 0;' + lines { |i| %Q(x += M::C#{i}) } \
         + '; p x'",
        "2177967000\n",
    );
}

#[test]
fn rows_of_targets() {
    check("eval lines { |i| %Q(@a#{i},) } + ' *@b, @c = *0..70_000'; p @a65999, @b[0], @c", "65999\n66000\n70000\n");
    check("def f(**k) = k.size; eval 'p f(' + lines { |i| %Q(a#{i}: 1,) } + ')'", "66000\n");
}

#[test]
fn a_trace_point_sees_wide_calls() {
    check(
        "def z(x) = x; calls = 0
         code = RubyVM::InstructionSequence.compile('x = 0;' + lines { |i| %Q(x += z(1)) } + '; p x')
         TracePoint.new(:call) { calls += 1 }.enable { code.eval }; p calls",
        "66000\n66000\n",
    );
}
