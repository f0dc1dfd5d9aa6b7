//! Runs the command lines of `command.txt` in a shell and compares the results with those recorded there.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command line, and its expected or actual result, in the format of the file.
struct Case {
    line: String,
    outcome: String,
}

fn cases(text: &str) -> Vec<Case> {
    let blocks = text.split("\n\n").filter_map(|block| block.strip_prefix("$ "));
    let case = |block: &str| {
        let (line, outcome) = block.split_once('\n').unwrap_or((block, ""));
        Case { line: line.to_string(), outcome: outcome.trim_end().to_string() }
    };
    blocks.map(case).collect()
}

fn run(line: &str, folder: &Path) -> String {
    let beni = env!("CARGO_BIN_EXE_beni");
    let line = format!("{line} ").replace("RUBY ", &format!("{beni} "));
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder)
        .env_remove("RUBYOPT")
        .env_remove("RUBYLIB")
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut shown = String::new();
    for (mark, bytes) in [("1|", &output.stdout), ("2|", &output.stderr)] {
        for text in String::from_utf8_lossy(bytes).lines() {
            let text = match text.strip_prefix(beni) {
                Some(rest) if rest.starts_with(": ") => format!("PROG{rest}"),
                _ => text.to_string(),
            };
            shown.push_str(&format!("{mark}{text}\n"));
        }
    }
    let status = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    format!("{shown}={status}")
}

#[test]
fn command_lines_do_what_ruby_does() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    for case in cases(include_str!("command.txt")) {
        let outcome = run(&case.line, &folder);
        if outcome != case.outcome {
            wrong.push(format!("$ {}\nexpected\n{}\nbut got\n{outcome}\n", case.line, case.outcome));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
