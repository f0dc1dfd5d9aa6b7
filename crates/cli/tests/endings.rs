//! Beni's own output for fatal errors.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

fn run(code: &str, library: Option<&str>) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
    command.args(["-e", code]).env_remove("RUBYOPT").stdin(Stdio::null());
    if let Some(folder) = library {
        command.env("BENI_STDLIB", folder);
    }
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, stderr)
}

#[test]
fn a_fault_prints_the_ruby_backtrace_and_ends_by_its_signal() {
    let code = "class A\n def self.a = [1].each { Process.kill(:SEGV, $$) }\nend\ndef b = A.a\nb";
    let (output, stderr) = run(code, None);
    assert_eq!(output.status.signal(), Some(11), "{stderr}");
    assert!(stderr.starts_with("-e:2: [BUG] Segmentation fault, sent by a process\nbeni "), "{stderr}");
    let backtrace = "Ruby backtrace:\n\t-e:2:in 'Process.kill'\n\t-e:2:in 'block in A.a'\n\t-e:2:in 'Array#each'\n\
        \t-e:2:in 'A.a'\n\t-e:4:in 'Object#b'\n\t-e:5:in '<main>'\n";
    assert!(stderr.contains(backtrace), "{stderr}");
}

#[test]
fn a_crash_report_goes_where_its_template_says() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("crash_reports");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let program = "Process.kill(:SEGV, $$)";
    let crash = |option: Option<&str>, variable: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
        command.current_dir(&folder).args(option).args(["-e", program]).env_remove("RUBYOPT").stdin(Stdio::null());
        command.envs(variable.map(|template| ("RUBY_CRASH_REPORT", template)));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let process = child.id();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(11));
        (process, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (process, stderr) = crash(Some("--crash-report=%e-%f-%p%%%101"), None);
    assert_eq!(stderr, "");
    let written = read(&format!("beni--e-{process}%A"));
    assert!(written.starts_with("-e:1: [BUG] Segmentation fault, sent by a process\n"), "{written}");
    let (_, stderr) = crash(None, Some("by_variable"));
    assert_eq!(stderr, "");
    assert!(read("by_variable").contains("Ruby backtrace:"));
    let (_, stderr) = crash(Some("--crash-report=|tee piped"), Some("unused"));
    assert_eq!(stderr, "");
    assert!(read("piped").contains("Ruby backtrace:"));
    assert!(!folder.join("unused").exists());
    let (_, stderr) = crash(Some("--crash-report=/nowhere/x"), None);
    assert!(stderr.contains("Ruby backtrace:"), "{stderr}");
}

#[test]
fn each_kind_of_fault_has_its_name() {
    let code =
        "host = Thread.new { Thread.stop }\nThread.pass until host.stop?\nThread.new { Process.kill(:BUS, $$) }.join";
    let (output, stderr) = run(code, None);
    assert_eq!(output.status.signal(), Some(7), "{stderr}");
    assert!(stderr.contains("[BUG] Bus error"), "{stderr}");
}

#[test]
fn without_a_standard_library_a_load_error_says_how_to_get_it() {
    let (_, stderr) = run("require 'optparse'", Some("/nowhere"));
    assert!(
        stderr.contains("cannot load such file -- optparse (LoadError)\nThere is no standard library in /nowhere:"),
        "{stderr}"
    );
    assert!(stderr.contains("`cargo xtask stdlib` fetches it"), "{stderr}");
}

/// Hooks of a scheduler that is closed at the end of the program: its exception ends the program, as in CRuby 4.1dev.
#[test]
fn the_exception_of_a_scheduler_that_is_closed_sets_the_status() {
    for (raised, status, signal) in
        [("raise 'x'", Some(1), None), ("exit 3", Some(3), None), ("raise Interrupt", None, Some(2))]
    {
        let hooks = "def block(*) = 0\ndef unblock(*) = 0\ndef kernel_sleep(*) = 0\ndef io_wait(*) = 0\n\
            def fiber_interrupt(*) = 0";
        let code = format!("class S\n{hooks}\ndef close = ({raised})\nend\nFiber.set_scheduler S.new");
        let (output, stderr) = run(&code, None);
        assert_eq!((output.status.code(), output.status.signal()), (status, signal), "{stderr}");
    }
}

/// What CRuby 4.1dev prints and returns: errors of handlers at once, then that of the trap, then the program's own.
#[test]
fn errors_at_exit_are_reported_in_order_and_the_last_sets_the_status() {
    let previous = "at_exit { begin; raise 'middle'; rescue; raise 'outer'; end }\nat_exit { raise 'previous' }";
    for (code, status, lines) in [
        ("trap(:EXIT) { raise 'E' }\nat_exit { raise 'a' }\nraise 'main'", 1, &["a", "E", "main", "main"][..]),
        ("trap(:EXIT) { exit 5 }\nat_exit { raise 'a' }", 5, &["a"]),
        (
            "trap(:EXIT) { raise 'E' }\nat_exit { $stderr.puts \": #{$!.inspect} (\" }\nraise 'b'",
            1,
            &["nil", "E", "b", "b"],
        ),
        (previous, 1, &["previous", "outer", "middle"]),
    ] {
        let (output, stderr) = run(code, None);
        let printed: Vec<&str> = stderr
            .lines()
            .map(|l| l.rsplit_once(": ").map_or(l, |(_, rest)| rest.split(" (").next().unwrap()))
            .collect();
        assert_eq!((printed.as_slice(), output.status.code()), (lines, Some(status)), "{code}\n{stderr}");
    }
}

/// As in CRuby 4.1dev: a program may rescue the error, and otherwise ends by SIGPIPE, without a message.
#[test]
fn output_that_nobody_reads_is_an_error_and_ends_the_program_by_a_signal() {
    let with_closed_output = |code: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
        command.args(["-e", code]).env_remove("RUBYOPT").stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        (output.status.code(), output.status.signal(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let rescued = "begin; loop { puts 1 }; rescue Errno::EPIPE => e; warn e.message; exit 4; end";
    let message = "Broken pipe @ rb_sys_fail_on_write - <STDOUT>\n".to_string();
    assert_eq!(with_closed_output(rescued), (Some(4), None, message));
    assert_eq!(with_closed_output("loop { puts 1 }"), (None, Some(13), String::new()));
}
