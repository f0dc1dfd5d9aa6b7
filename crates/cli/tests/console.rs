//! `binding.irb` with Beni's own console and with the library's: in a pseudo-terminal created by `script`, and with a
//! pipe.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

const PROGRAM: &str =
    "a = 10\n\ndef stop(b)\n  c = 1\n  binding.irb\n  puts \"c is #{c}\"\nend\nstop(2)\nputs \"went on\"\n";

/// A temporary folder of the test with the program.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("beni-console-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("program.rb"), PROGRAM).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program that runs on a terminal.
struct Terminal {
    child: Child,
    input: ChildStdin,
    output: Arc<(Mutex<String>, Condvar)>,
    seen: usize,
}

impl Terminal {
    fn new(command: &str, home: &PathBuf, console: &str) -> Terminal {
        let mut child = Command::new("script")
            .args(["-q", "-e", "-c", command, "/dev/null"])
            .env("HOME", home)
            .env("TERM", "xterm")
            .env("BENI_CONSOLE", console)
            .env("NO_COLOR", "1")
            .current_dir(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script, of util-linux, makes the pseudo-terminal");
        let (input, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let output = Arc::new((Mutex::new(String::new()), Condvar::new()));
        let kept = output.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = from.read(&mut bytes) {
                if count == 0 {
                    break;
                }
                kept.0.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
                kept.1.notify_all();
            }
        });
        Terminal { child, input, output, seen: 0 }
    }

    /// Waits until `text` was printed after the text of the previous wait.
    fn expect(&mut self, text: &str) {
        let end = Instant::now() + Duration::from_secs(60);
        let mut output = self.output.0.lock().unwrap();
        loop {
            if let Some(at) = output[self.seen..].find(text) {
                self.seen += at + text.len();
                return;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited for {text:?} in {:?}", &output[self.seen..]);
            output = self.output.1.wait_timeout(output, left).unwrap().0;
        }
    }

    fn enter(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_terminal_has_editing_completion_and_history() {
    let folder = Folder::new("terminal");
    let mut terminal = Terminal::new(&format!("{} program.rb", env!("CARGO_BIN_EXE_beni")), &folder.0, "own");
    terminal.expect("From: program.rb @ line 5 :");
    terminal.expect("=> 5:   binding.irb");
    terminal.expect("irb(main):001> ");
    terminal.enter("b ** 2\r");
    terminal.expect("=> 4");
    terminal.expect("irb(main):002> ");
    terminal.enter("made_here = 70\r");
    terminal.expect("=> 70");
    terminal.expect(":003> ");
    // The name is completed, and the local variable still exists.
    terminal.enter("made_h\t + 7\r");
    terminal.expect("=> 77");
    terminal.expect(":004> ");
    terminal.enter("def twice(x)\r");
    terminal.enter("  x * 2\r");
    terminal.enter("end\r");
    terminal.expect("=> :twice");
    terminal.expect(":007> ");
    terminal.enter("twice(21)\r");
    terminal.expect("=> 42");
    terminal.expect(":008> ");
    // Two up: the method's definition; one down again: its call.
    terminal.enter("\x1b[A\x1b[A\x1b[B\r");
    terminal.expect("=> 42");
    terminal.expect(":009> ");
    terminal.enter("nil.foo\r");
    terminal.expect("undefined method 'foo' for nil (NoMethodError)");
    terminal.expect(":010> ");
    terminal.enter("half \x03");
    terminal.expect("^C");
    terminal.expect(":010> ");
    terminal.enter("c = 5\r");
    terminal.expect("=> 5");
    terminal.expect(":011> ");
    terminal.enter("exit\r");
    terminal.expect("c is 5");
    terminal.expect("went on");
    let history = std::fs::read_to_string(folder.0.join(".irb_history")).unwrap();
    assert!(history.starts_with("b ** 2\nmade_here = 70\n"), "{history:?}");
    assert!(history.contains("def twice(x)\\\n  x * 2\\\nend\n"), "{history:?}");
}

#[test]
fn the_library_has_a_terminal_too() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if std::env::var_os("BENI_STDLIB").is_none() && !root.join("target/stdlib/ruby/irb.rb").is_file() {
        eprintln!("no standard library: cargo xtask stdlib");
        return;
    }
    let folder = Folder::new("library");
    let command = format!("stty rows 24 cols 80; {} program.rb", env!("CARGO_BIN_EXE_beni"));
    let mut terminal = Terminal::new(&command, &folder.0, "irb");
    terminal.expect("=> 5:   binding.irb");
    terminal.expect("irb(main):001> ");
    terminal.enter("b ** 2\r");
    terminal.expect("=> 4");
    terminal.expect(":002> ");
    terminal.enter("made_here = 70\r");
    terminal.expect("=> 70");
    terminal.expect(":003> ");
    terminal.enter("made_h\t + 7\r");
    terminal.expect("=> 77");
    terminal.expect(":004> ");
    // Incomplete input continues, indented, on the next line.
    terminal.enter("def twice(x)\r");
    terminal.expect(":005* ");
    terminal.enter("x * 2\r");
    terminal.expect(":006* ");
    terminal.enter("end\r");
    terminal.expect("=> :twice");
    terminal.expect(":007> ");
    terminal.enter("show_source twice\r");
    terminal.expect("def twice(x)");
    terminal.expect(":008> ");
    terminal.enter("1 + )\r");
    terminal.expect("unexpected ')'");
    terminal.expect(":009> ");
    terminal.enter("nil.foo\r");
    terminal.expect("undefined method 'foo' for nil (NoMethodError)");
    terminal.expect(":010> ");
    terminal.enter("c = 5\r");
    terminal.expect("=> 5");
    terminal.enter("exit\r");
    terminal.expect("c is 5");
    terminal.expect("went on");
}

fn through_a_pipe(options: &[&str]) {
    let folder = Folder::new(&format!("pipe{}", options.len()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_beni"))
        .args(options)
        .arg("program.rb")
        .env("BENI_CONSOLE", "own")
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let typed = "b ** 2\nnew = [1,\n2]\nnew.sum + _.size\nc = 5\n1 +)\nexit\n";
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let (_, after) = printed.split_once(" 9: puts \"went on\"\n\n").expect("the place is shown");
    let (before, error) = after.split_once("1 +)\n").expect("input is shown");
    assert_eq!(before, "b ** 2\n4\nnew = [1,\n2]\n[1, 2]\nnew.sum + _.size\n5\nc = 5\n5\n");
    assert!(error.contains("syntax error"), "{error}");
    assert!(error.ends_with("exit\nc is 5\nwent on\n"), "{error}");
}

#[test]
fn a_pipe_is_read_line_by_line() {
    through_a_pipe(&[]);
}

#[test]
fn a_pipe_is_read_while_every_few_allocations_collect() {
    through_a_pipe(&["--stress-gc=7", "--verify-heap"]);
}
