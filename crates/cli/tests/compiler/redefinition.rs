//! Methods and operators that a program redefines under compiled code.

use std::process::Command;

use super::check;

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
