//! Runs the recorded cases of `tests/recorded/*.tsv`: an operation, its arguments, and the results of CRuby 4.1dev.
//!
//! A line is `operation TAB argument… TAB => TAB expected…`; bytes outside printable ASCII and backslashes are `\xNN`.
//! `BENI_TEXT_CASES` names a further file to run.

mod operations;

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn recorded_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.extend(std::env::var_os("BENI_TEXT_CASES").map(PathBuf::from));
    let (mut failures, mut count) = (Vec::new(), 0);
    for file in &files {
        for (number, line) in fs::read_to_string(file).unwrap().lines().enumerate() {
            if line.is_empty() || line.starts_with("## ") {
                continue;
            }
            count += 1;
            if let Err(message) = check(line) {
                failures.push(format!("{}:{}: {message}", file.display(), number + 1));
            }
        }
    }
    assert!(count > 0, "no recorded cases found");
    let shown: Vec<_> = failures.iter().take(40).cloned().collect();
    assert!(failures.is_empty(), "{} of {count} failed:\n{}", failures.len(), shown.join("\n"));
}

fn check(line: &str) -> Result<(), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let arrow = fields.iter().position(|field| *field == "=>").ok_or("no arrow")?;
    let arguments: Vec<Vec<u8>> = fields[1..arrow].iter().map(|field| unescape(field)).collect();
    let expected: Vec<String> = fields[arrow + 1..].iter().map(|field| field.to_string()).collect();
    let actual: Vec<String> = operations::run(fields[0], &arguments).iter().map(|value| escape(value)).collect();
    if actual == expected {
        Ok(())
    } else {
        Err(format!("{}\n    expected {expected:?}\n    but was  {actual:?}", fields[..arrow].join(" ")))
    }
}

fn unescape(field: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = field.as_bytes();
    while let [byte, tail @ ..] = rest {
        if *byte == b'\\' {
            let digits = std::str::from_utf8(&tail[1..3]).unwrap();
            out.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &tail[3..];
        } else {
            out.push(*byte);
            rest = tail;
        }
    }
    out
}

fn escape(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| match byte {
            b' '..=b'~' if byte != b'\\' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02X}"),
        })
        .collect()
}
