//! When memory is exhausted, programs get NoMemoryError or ThreadError: no allocation whose size comes from a program
//! ends the process.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a program whose address space is limited to this many kilobytes.
fn run(kilobytes: usize, code: &str) -> Output {
    run_with(kilobytes, &[], code)
}

fn run_with(kilobytes: usize, options: &[&str], code: &str) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_beni"))
        .args(options)
        .args(["-W0", "-e", code])
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn results_that_do_not_fit_are_no_memory_errors() {
    let results = [
        "s.inspect",
        "s.dump",
        "s.tr('é', '€')",
        "s.encode('UTF-32LE')",
        "s.upcase",
        "s.split('')",
        "s.unicode_normalize(:nfd)",
        "s.casecmp?(s)",
        "[s].pack('u')",
        "[s].pack('m')",
        "s.unpack('H*')",
        "File.open('/etc/passwd') { |f| f.read(2**40) }",
        "Time.now.iso8601(2**40)",
        "s.grapheme_clusters",
        "s.unpack('B*')",
        "[s].pack('B*')",
        "Regexp.new(s)",
        "send(s)",
        "eval(s)",
        "system(s)",
        "File.open(s)",
        "require(s)",
        "ENV['a'] = s",
        "Object.const_get(s)",
        "Rational(s)",
        "Time.new(s)",
        "File.read('/dev/zero', 2**33)",
        "File.open('/dev/zero').gets",
        "IO.popen('yes').read",
        "require 'bigdecimal'; BigDecimal('1e100000000000').to_s('F')",
        "require 'bigdecimal'; BigDecimal('1e-100000000000').to_s('3F')",
        "IO::Buffer.new(10).hexdump(0, 10, 2**60)",
        "b = IO::Buffer.new(180_000_000); [b & b, ~b, b.dup]",
        "b = IO::Buffer.new(180_000_000); [b.dup, b <=> b.dup, b.copy(b)]",
    ];
    for result in results {
        let code = format!(
            "s = 'é' * 60_000_000\nbegin\n{result}\n\
             rescue NoMemoryError, StandardError, ScriptError\nend\nputs 'goes on'"
        );
        let output = run(600_000, &code);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "goes on\n", "{result}: {:?}\n{errors}", output.status);
    }
}

/// The exception itself needs memory, and so do the handlers; compiled code reports it too.
#[test]
fn objects_that_do_not_fit_are_no_memory_errors() {
    let loops = [
        "a = nil; loop { a = [a] }",
        "a = []; i = 1e-300; loop { i *= 1.0000001; a << i }",
        "a = nil; of = Struct.new(:a); loop { a = of.new(a) }",
        "a = []; loop { a << 2**100 }",
        "a = []; loop { a << 1.method(:+) }",
        "a = []; loop { a << Random.new }",
        "a = []; loop { a << Mutex.new }",
        "i = 0; a = []; loop { a << :\"s#{i += 1}\" }",
        "a = []; loop { begin; raise 'x'; rescue => e; a << e; end }",
    ];
    for endless in loops {
        for jit in ["on", "off"] {
            let code = format!("begin\n{endless}\nrescue NoMemoryError => e\na = nil\nputs e.message\nend");
            let output = run_with(400_000, &[&format!("--jit={jit}")], &code);
            let errors = String::from_utf8_lossy(&output.stderr);
            let printed = String::from_utf8_lossy(&output.stdout);
            assert_eq!(printed, "failed to allocate memory\n", "{endless} {jit}: {:?}\n{errors}", output.status);
        }
    }
}

#[test]
fn threads_that_do_not_fit_are_thread_errors() {
    let code = "begin\n2_000.times { Thread.new { sleep } }\nrescue ThreadError\nSTDOUT.syswrite(%(no more\\n))\nend\n\
        exit!(true)";
    let output = run(4_000_000, code);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "no more\n", "{:?}\n{errors}", output.status);
}

/// `memory/refuse.c` is preloaded and lets the n-th large allocation fail, `memory/refused.rb` has the expressions.
#[test]
fn each_large_allocation_may_fail() {
    run_refusing("refused.rb");
}

/// `memory/exhausted.rb` runs expressions while the C library has no memory at all.
#[test]
fn small_allocations_come_from_a_reserve() {
    run_refusing("exhausted.rb");
}

/// `memory/sources.rb` evaluates large sources while one allocation fails.
#[test]
fn each_large_allocation_of_a_compilation_may_fail() {
    run_refusing("sources.rb");
}

/// The parser ends the process when it gets no memory, so what dense sources need is tried before.
#[test]
fn sources_that_do_not_fit_are_no_memory_errors() {
    let sources = ["'a{};' * 300_000", "'-1;' * 300_000", "')' * 300_000", "'1 ' * 300_000", "%(\\xff) * 300_000"];
    for source in sources {
        for kilobytes in [250_000, 300_000, 400_000] {
            let code = format!(
                "s = {source}\nbegin\neval('proc {{' + s + '}}')\n\
                 rescue NoMemoryError, ScriptError\nend\nputs 'goes on'"
            );
            let output = run(kilobytes, &code);
            let errors = String::from_utf8_lossy(&output.stderr);
            let printed = String::from_utf8_lossy(&output.stdout);
            assert_eq!(printed, "goes on\n", "{source} {kilobytes}: {:?}\n{errors}", output.status);
        }
    }
}

/// With a backtrace of its own for each, 3,000 exceptions in a recursion take 120 MB.
#[test]
fn exceptions_of_a_recursion_through_rescue_share_their_frames() {
    let code = "def f(n) = n == 0 ? 0 : (raise('x') rescue f(n - 1))\nf(3000)\n\
                p File.read('/proc/self/status')[/VmHWM:\\s+(\\d+)/, 1].to_i < 60_000";
    assert_eq!(String::from_utf8_lossy(&run(8_000_000, code).stdout), "true\n");
}

/// The program itself is too large: nothing runs that could rescue the exception.
#[test]
fn a_program_that_does_not_fit_ends_with_a_message() {
    let output = run(300_000, &format!("p 1\n{}", "a{};".repeat(30_000)));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "-e: failed to allocate memory (NoMemoryError)\n");
}

fn run_refusing(program: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{program}.so"));
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library);
    let compiled = compiler.arg(root.join("refuse.c")).arg("-ldl").output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    // A thread that waits for ever must not stop the other tests, too.
    let output = Command::new("timeout")
        .env("LD_PRELOAD", &library)
        .args(["300", env!("CARGO_BIN_EXE_beni"), "-W0"])
        .arg(root.join(program))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "all\n", "{:?}\n{errors}", output.status);
}
