//! Methods of thousands of instructions, of which a program runs only a part.

use super::memory::{count, run};

/// A method with 900 branches and a loop; `calls` are made again and again.
fn program(calls: &str) -> String {
    format!(
        r##"
branches = 900.times.map {{ |i| "when #{{i}} then r << [i * #{{i}}, r.size > 2 ? 'x#{{i}}' : i, Float(i) * 0.5]" }}
eval "def large(from, to)
  r, i = [], from
  while i < to
    case i
    #{{branches.join("
    ")}}
    else r << i.to_s
    end
    i += 1
  end
  r
end"
{calls}"##
    )
}

#[test]
fn a_large_method_is_compiled_as_far_as_it_runs() {
    let code = program(
        "p 3000.times.map { large(7, 12) }.uniq\n\
         p 3000.times.map { |i| large(i % 1000, i % 1000 + 3) }.uniq.size\n\
         p large(898, 902), large(-1, 1)",
    );
    let expected = run(&["--jit=off"], &code);
    assert!(expected.status.success());
    for switches in [&["--jit-threshold=1"][..], &["--jit-threshold=40"], &["--jit-threshold=9", "--jit-exit-every=3"]]
    {
        let output = run(&[switches, &["--jit-stats"]].concat(), &code);
        assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&expected.stdout), "{switches:?}");
        assert_eq!(count(&output, "refused"), 0, "{switches:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("interpreted runs of (eval"), "{switches:?} {text}");
    }
}

#[test]
fn a_trace_point_in_a_large_method_fires_and_it_is_compiled_again() {
    let code = program(
        "lines = []\n\
         calls = -> { 500.times { |i| large(i % 90, i % 90 + 2) } }\n\
         calls.()\n\
         t = TracePoint.new(:line) { |tp| lines << tp.lineno }\n\
         t.enable(target: method(:large)) { large(3, 4) }\n\
         calls.()\n\
         p lines.size, large(3, 5)",
    );
    let expected = run(&["--jit=off"], &code);
    let output = run(&["--jit-threshold=20"], &code);
    assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&expected.stdout));
}

/// The memory for a compilation grows with the variables, not with their square: 30 MB, not 500.
#[test]
fn a_method_of_many_variables_is_compiled_in_little_memory() {
    let code = "set = (0...3000).map { |i| \"a#{i} = n + #{i}\\n\" }.join\n\
        turn = (0...3000).map { |i| \"a#{i} = a#{(i * 7 + 1) % 3000} ^ i\\n\" }.join\n\
        eval \"def f(n)\\n#{set} i = 0\\n while i < 20\\n #{turn} i += 1\\n end\\n a0 + a2999\\nend\"\n\
        p f(1), f(2), File.read('/proc/self/status')[/VmHWM:\\s+(\\d+)/, 1].to_i < 150_000";
    for switches in [&["--jit=off"][..], &["--jit-threshold=1"]] {
        let output = run(switches, code);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "4392\n4394\ntrue\n", "{switches:?}");
    }
}
