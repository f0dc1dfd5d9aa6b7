//! When memory is exhausted, programs get NoMemoryError or ThreadError: no allocation whose size comes from a program
//! ends the process.

use std::process::{Command, Output, Stdio};

/// Runs a program whose address space is limited to this many kilobytes.
fn run(kilobytes: usize, code: &str) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$@\""), "sh"])
        .args([env!("CARGO_BIN_EXE_beni"), "-W0", "-e", code])
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
    ];
    for result in results {
        let code =
            format!("s = 'é' * 60_000_000\nbegin\n{result}\nrescue NoMemoryError, ArgumentError\nend\nputs 'goes on'");
        let output = run(600_000, &code);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "goes on\n", "{result}: {:?}\n{errors}", output.status);
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
