//! `require "beni/profile"`, `beni --profile`, `beni heap`, `beni inspect` and `--trace-gc`.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

fn beni() -> Command {
    Command::new(env!("CARGO_BIN_EXE_beni"))
}

/// A temporary folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a program of `tests/profile/`, cold and hot, and compares its output.
fn check(name: &str) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile").join(name).with_extension("rb");
    let expected = std::fs::read_to_string(program.with_extension("out")).unwrap();
    for options in [&[][..], &["--jit-threshold=1"]] {
        let output = beni().args(options).arg("-W0").arg(&program).output().unwrap();
        assert_eq!(text(&output.stdout), expected, "{options:?} {}", text(&output.stderr));
    }
}

#[test]
fn shares_are_those_that_the_program_measures() {
    check("shares");
}

#[test]
fn allocations_are_counted_by_line_and_class() {
    check("allocations");
}

/// Runs code and writes a profile of it to a file.
fn profiled(folder: &Path, file: &str, code: &str) -> Output {
    let program = folder.join("program.rb");
    std::fs::write(&program, code).unwrap();
    beni().current_dir(folder).arg(format!("--profile={file}")).arg("program.rb").output().unwrap()
}

/// A method that is busy for the time of fifty samples, however fast the code is.
const BUSY: &str = "def busy(now = -> { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) }, t = now.call) \
    = (nil while now.call - t < 0.05)\nbusy\n";

#[test]
fn the_file_says_the_format() {
    let folder = folder("formats");
    for (file, begins) in [
        ("a.html", "<!doctype html>"),
        ("a.json", "{"),
        ("a.firefox.json", "{"),
        // The compiler's line precedes those of the program if it was sampled at work.
        ("a.txt", "(compiler) |<main>"),
        ("a.pb.gz", "\u{1f}"),
    ] {
        let output = profiled(&folder, file, BUSY);
        assert!(output.status.success(), "{file}: {}", text(&output.stderr));
        let written = text(&std::fs::read(folder.join(file)).unwrap());
        let begins_so = begins.split('|').any(|begins| written.starts_with(begins));
        assert!(begins_so, "{file}: {}", written.chars().take(80).collect::<String>());
    }
    let output = profiled(&folder, "-", BUSY);
    assert!(text(&output.stderr).contains("program.rb:1 in "), "{}", text(&output.stderr));
    let output = profiled(&folder, "a.csv", BUSY);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no format of profiles has the extension .csv"));
}

/// Go's pprof reads a profile back. Without `go` the test does nothing.
#[test]
fn pprof_reads_its_format() {
    let folder = folder("pprof");
    assert!(profiled(&folder, "p.pb.gz", BUSY).status.success());
    let mut pprof = Command::new("go");
    pprof.current_dir(&folder).env("GOTOOLCHAIN", "local");
    let Ok(output) = pprof.args(["tool", "pprof", "-top", "-cum", "p.pb.gz"]).output() else { return };
    let shown = text(&output.stdout);
    assert!(shown.contains("Type: cpu") && shown.contains("Object#busy"), "{shown}{}", text(&output.stderr));
}

#[test]
fn however_a_process_ends_its_profile_is_written_once() {
    let endings = [
        ("", 0),
        ("exit 3", 3),
        ("exit! 4", 4),
        ("raise 'an error'", 1),
        ("at_exit { busy }; abort", 1),
        ("Process.kill(:TERM, $$); sleep", 128 + 15),
        ("exec 'sh', '-c', 'exit 5'", 5),
        ("Thread.new { exit 6 }.join", 6),
        ("Process.wait(fork { busy; exit! 7 }); exit $?.exitstatus", 7),
        ("Process.wait(fork { busy; exec 'sh', '-c', 'sleep 0.05; exit 8' }); exit $?.exitstatus", 8),
        ("20.times { system('true') or exit 1 }; exit 9", 9),
    ];
    let folder = folder("endings");
    for (ending, status) in endings {
        let _ = std::fs::remove_file(folder.join("p.txt"));
        let output = profiled(&folder, "p.txt", &format!("{BUSY}{ending}\n"));
        let found = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
        assert_eq!(found, status, "{ending}: {}", text(&output.stderr));
        let written = std::fs::read_to_string(folder.join("p.txt")).unwrap_or_default();
        assert!(written.contains("Object#busy"), "{ending}: {written}");
    }
}

#[test]
fn the_stack_of_a_fiber_continues_where_it_was_resumed() {
    let code = "require 'beni/profile'
        def busy(now = -> { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) }, t = now.call)
          nil while now.call - t < 0.05
        end
        def inner = Fiber.new { busy; Fiber.yield; busy }.tap { |fiber| 2.times { fiber.resume } }
        def outer = Fiber.new { inner }.resume
        def generates = Enumerator.new { |y| busy; y << 1 }.next
        puts Beni::Profile.run { outer; generates }.to_collapsed";
    let output = beni().args(["-W0", "-e", code]).output().unwrap();
    let stacks = text(&output.stdout);
    for ways in [
        [
            "Object#outer;Fiber#resume;block in Object#outer;Object#inner;",
            ";Fiber#resume;block in Object#inner;Object#busy;",
        ],
        ["Object#generates;Enumerator#next;", ";block in Object#generates;Object#busy;"],
    ] {
        let has = |line: &str| line.starts_with("<main>;") && ways.iter().all(|way| line.contains(way));
        assert!(stacks.lines().any(has), "{ways:?}: {stacks}{}", text(&output.stderr));
    }
    assert!(stacks.lines().all(|line| line.starts_with("<main>")), "{stacks}");
}

#[test]
fn samples_in_the_middle_of_everything_do_no_harm() {
    let code = r#"
        require "beni/profile"
        Beni::Profile.start(mode: :wall, interval: 50)
        fibers = Array.new(50) { Fiber.new { loop { Fiber.yield([1, "a", { a: 1 }].hash) } } }
        work = ->(n) { 400.times { |i| "x#{i}".to_sym; eval("->(a, b) { a + b }").call(i, n); Thread.pass } }
        threads = Array.new(4) { |n| Thread.new { work.(n) } }
        300.times { |i| fibers.each(&:resume); GC.compact if i % 100 == 0; Class.new { def a = 1 }.new.a }
        def deep(n) = n == 0 ? 0 : 1 + deep(n - 1)
        begin; deep(1_000_000); rescue SystemStackError; end
        threads.each(&:join)
        ("a" * 200_000 + "b") =~ /(a|aa)*c/
        GC.start
        profile = Beni::Profile.stop
        puts profile.to_collapsed.size > 100
        puts profile.to_html.size > 1000
    "#;
    for options in [&[][..], &["--jit-threshold=1"], &["--stress-gc=101", "--verify-heap"]] {
        let output = beni().args(options).args(["-W0", "-e", code]).output().unwrap();
        assert_eq!(text(&output.stdout), "true\ntrue\n", "{options:?} {:?} {}", output.status, text(&output.stderr));
    }
}

/// A timer that the system delivers while a thread waits must not end the wait early, nor be lost for what runs after.
#[test]
fn waits_are_neither_cut_short_nor_left_out() {
    let code = r##"
        require "beni/profile"
        def now(clock = Process::CLOCK_MONOTONIC) = Process.clock_gettime(clock)
        CPU = Process::CLOCK_THREAD_CPUTIME_ID
        def busy(t = now(CPU)) = (nil while now(CPU) - t < 0.002)
        reader, writer = IO.pipe
        queue = Queue.new
        waits = {
          sleep: -> { sleep 0.05 }, select: -> { IO.select([reader], nil, nil, 0.05) },
          join: -> { Thread.new { sleep }.tap { |t| t.join(0.05) }.kill }, pop: -> { queue.pop(timeout: 0.05) },
        }
        %i[cpu wall].each do |mode|
          Beni::Profile.start(mode: mode, interval: 500)
          waits.each do |name, wait|
            began = now
            wait.call
            puts "#{name} ends early" if now - began < 0.05
          end
          50.times { busy; sleep 0.001 }
          profile = Beni::Profile.stop
          spent = profile.by_method.find { |m| m.name == "Object#busy" }&.total.to_f
          puts "#{mode}: #{spent > 0.03 ? "sampled" : spent}"
          waited = profile.by_method.find { |m| m.kind == :waiting }&.total.to_f
          puts "waits: #{mode == :cpu ? waited.zero? : waited >= 0.2}"
        end
    "##;
    for options in [&[][..], &["--jit-threshold=1"]] {
        let output = beni().args(options).args(["-W0", "-e", code]).output().unwrap();
        let shown = text(&output.stdout);
        assert_eq!(shown, "cpu: sampled\nwaits: true\nwall: sampled\nwaits: true\n", "{}", text(&output.stderr));
    }
}

/// Of a deep stack only the frames that changed are decoded again.
#[test]
fn what_two_samples_share_stays_right() {
    let code = r##"
        require "beni/profile"
        def now = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)
        def spin(t = now) = (nil while now - t < 0.01)
        def left(n) = n == 0 ? spin : left(n - 1)
        def right(n) = n == 0 ? spin : right(n - 1)
        def turns
          5.times { left(40); right(20); Fiber.new { left(3) }.resume; right(45) }
        end
        stacks = Beni::Profile.run { turns }.to_collapsed.lines.map { |line| line[/.* /].split(";").map(&:strip) }
        stacks.select! { |stack| stack.include?("Object#spin") }
        shapes = stacks.map { |stack| %w[left right].map { |name| stack.count("Object##{name}") } }
        puts (shapes - [[41, 0], [0, 21], [4, 0], [0, 46]]).inspect, shapes.uniq.size
        puts stacks.all? { |stack| stack[0] == "<main>" && stack.count("Object#turns") == 1 }
    "##;
    for options in [&[][..], &["--jit-threshold=1"], &["--jit=off"]] {
        let output = beni().args(options).args(["-W0", "-e", code]).output().unwrap();
        assert_eq!(text(&output.stdout), "[]\n4\ntrue\n", "{options:?} {}", text(&output.stderr));
    }
}

#[test]
fn a_heap_dump_tells_who_keeps_what() {
    let folder = folder("heap");
    let code = r#"
        require "objspace"
        class Keeper; def initialize = @kept = Array.new(20_000) { |i| "text number #{i} of a thousand" }; end
        KEEPER = Keeper.new
        File.open("one.json", "w") { |file| ObjectSpace.dump_all(output: file) }
        MORE = Array.new(500) { Keeper.allocate }
        File.open("two.json", "w") { |file| ObjectSpace.dump_all(output: file) }
    "#;
    assert!(beni().current_dir(&folder).args(["-e", code]).status().unwrap().success());
    let heap = |arguments: &[&str]| beni().current_dir(&folder).arg("heap").args(arguments).output().unwrap();
    let whole = text(&heap(&["one.json"]).stdout);
    let keeper = whole.lines().find(|line| line.ends_with("  Keeper")).unwrap_or_else(|| panic!("{whole}"));
    assert!(keeper.contains("KiB") && keeper.contains(" 1 "), "{keeper}");
    let address = whole.lines().find_map(|line| line.split(" Keeper 0x").nth(1)).unwrap();
    let path = text(&heap(&["one.json", "--path", &format!("0x{address}")]).stdout);
    assert!(path.starts_with("root ") && path.contains("Keeper"), "{path}");
    let grown = text(&heap(&["one.json", "two.json"]).stdout);
    assert!(grown.lines().any(|line| line.contains(" 500 ") && line.ends_with("Keeper")), "{grown}");
    let failed = heap(&["none.json"]);
    assert_eq!(failed.status.code(), Some(1));
}

#[test]
fn heap_shows_its_progress_on_a_terminal_only() {
    let folder = folder("progress");
    let code = "require 'objspace'; File.open('dump.json', 'w') { |file| ObjectSpace.dump_all(output: file) }";
    assert!(beni().current_dir(&folder).args(["-e", code]).status().unwrap().success());
    let piped = beni().current_dir(&folder).args(["heap", "dump.json"]).output().unwrap();
    assert_eq!(text(&piped.stderr), "");
    // `script`, of util-linux, makes a pseudo-terminal.
    let command = format!("{} heap dump.json", env!("CARGO_BIN_EXE_beni"));
    let shown = Command::new("script").current_dir(&folder).args(["-q", "-e", "-c", &command, "/dev/null"]).output();
    let shown = text(&shown.unwrap().stdout);
    let report = text(&piped.stdout);
    assert!(shown.contains("\r\x1b[Kreading dump.json: "), "{shown}");
    assert!(shown.contains("\r\x1b[Kcomputing retained sizes"), "{shown}");
    // What was shown is removed before the report.
    let (_, rest) = shown.rsplit_once("\r\x1b[K").unwrap();
    assert_eq!(rest.replace("\r\n", "\n"), report);
}

#[test]
fn trace_gc_prints_a_line_a_collection() {
    let output = beni().args(["--trace-gc", "-e", "GC.start; p GC.count"]).output().unwrap();
    let lines = text(&output.stderr);
    assert!(lines.lines().any(|line| line.contains("full (GC.start)  pause ")), "{lines}");
    assert_eq!(lines.lines().count().to_string(), text(&output.stdout).trim());
}

/// A process that is killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(options: &[&str], code: &str) -> Running {
    let mut child =
        beni().args(options).args(["-e", code]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program signals that it has started.
    let mut byte = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut byte).unwrap();
    Running(child)
}

fn inspect(child: &Running, words: &[&str]) -> Output {
    beni().arg("inspect").arg(child.0.id().to_string()).args(words).output().unwrap()
}

#[test]
fn a_process_that_hangs_tells_where() {
    let hanging = "$stdout.sync = true\nThread.new { loop { 1000.times { } } }\ndef hangs = Queue.new.pop\nputs; hangs";
    let child = start(&[], hanging);
    let stacks = text(&inspect(&child, &["stacks"]).stdout);
    assert!(stacks.contains("'Object#hangs'") && stacks.contains("'Kernel#loop'"), "{stacks}");
    assert!(text(&inspect(&child, &["gc"]).stdout).contains("minor_gc_count "));
    let profile = text(&inspect(&child, &["profile", "0.3"]).stdout);
    assert!(profile.contains("in 'Object#hangs'"), "{profile}");
    let dump = folder("inspect").join("heap.json");
    let answer = inspect(&child, &["heap", dump.to_str().unwrap()]);
    assert_eq!((text(&answer.stdout), answer.status.code()), (String::new(), Some(0)));
    assert!(std::fs::read_to_string(dump).unwrap().contains("\"type\":\"ROOT\""));
}

#[test]
fn a_process_with_one_thread_answers_while_it_waits() {
    let child = start(&[], "$stdout.sync = true\ndef waits = IO.pipe[0].read\nputs; waits");
    let stacks = text(&inspect(&child, &["stacks"]).stdout);
    assert!(stacks.contains("'IO#read'") && stacks.contains("'Object#waits'"), "{stacks}");
}

#[test]
fn a_process_can_refuse_and_others_are_left_alone() {
    let child = start(&["--no-inspect"], "$stdout.sync = true; puts; sleep");
    let answer = inspect(&child, &["stacks"]);
    assert_eq!(answer.status.code(), Some(1));
    assert!(text(&answer.stderr).contains("--no-inspect"), "{}", text(&answer.stderr));
    let mut other = Command::new("sleep").arg("20").spawn().unwrap();
    let answer = beni().args(["inspect", &other.id().to_string(), "gc"]).output().unwrap();
    assert_eq!(answer.status.code(), Some(1));
    assert!(other.try_wait().unwrap().is_none(), "it still runs");
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn stacks_on_quit_lets_the_program_go_on() {
    let (status, errors) = quit(&["--stacks-on-quit"]);
    assert_eq!(status.code(), Some(3));
    assert!(errors.contains("in '<main>'"), "{errors}");
}

#[test]
fn quit_prints_the_stacks_and_ends_the_program() {
    let (status, errors) = quit(&[]);
    assert_eq!(status.signal(), Some(3));
    assert!(errors.contains("in '<main>'"), "{errors}");
    let (status, errors) = quit(&["--no-inspect"]);
    assert_eq!((status.signal(), errors.as_str()), (Some(3), ""));
}

/// The status and the errors of a program that is sent `SIGQUIT`.
fn quit(options: &[&str]) -> (ExitStatus, String) {
    let mut child = start(options, "$stdout.sync = true; def waits = gets; puts; sleep 0.5; puts :on; exit 3");
    let quit = Command::new("kill").args(["-QUIT", &child.0.id().to_string()]).status().unwrap();
    assert!(quit.success());
    let began = Instant::now();
    while child.0.try_wait().unwrap().is_none() && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let status = child.0.wait().unwrap();
    let mut errors = String::new();
    child.0.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (status, errors)
}
