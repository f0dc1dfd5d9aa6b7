//! `torture`: ruby/spec with disturbances at many places, which must not change any result.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::spec::{self, Check};
use crate::{Outcome, build, stdlib, workspace};

/// The name of a switch, and the disturbance for its number.
type Kind = (&'static str, fn(u32) -> Check);

const KINDS: &[Kind] = &[
    ("--switch", Check::Switch),
    ("--signal", Check::Signal),
    ("--refuse", Check::Refuse),
    ("--collect", |_| Check::Stress),
];

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let profile = workspace::take_option(&mut arguments, "--profile")?.unwrap_or_else(|| "quick".to_string());
    let mut checks = Vec::new();
    for (switch, check) in KINDS {
        while let Some(number) = workspace::take_option(&mut arguments, switch)? {
            let number = number.parse().map_err(|_| format!("{switch} {number} is not a number"))?;
            checks.push((format!("{switch} {number}"), check(number)));
        }
    }
    if checks.is_empty() {
        checks = KINDS.iter().map(|(switch, check)| (format!("{switch} 1"), check(1))).collect();
    }
    if let Some(unknown) = arguments.iter().find(|argument| argument.starts_with('-')) {
        return Err(format!("unknown argument {unknown}"));
    }
    stdlib::ensure()?;
    let beni = build::beni(&profile)?;
    let mut failed = 0;
    for (name, check) in checks {
        let started = std::time::Instant::now();
        let tally = if arguments.is_empty() {
            spec::check_all(beni.clone(), check)?
        } else {
            let folders: Vec<&str> = arguments.iter().map(String::as_str).collect();
            spec::check_with(beni.clone(), check, &folders)?
        };
        let seconds = started.elapsed().as_secs();
        println!("{name}: {} passed, {} failed, {seconds} seconds", tally.passed, tally.failed);
        failed += tally.failed;
    }
    Ok(failed == 0)
}

/// The library that refuses allocations; it is compiled once.
pub fn refusing_library() -> Result<PathBuf, String> {
    static LIBRARY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    LIBRARY
        .get_or_init(|| {
            let library = workspace::target().join("refuse.so");
            let source = workspace::root().join("crates/cli/tests/memory/refuse.c");
            let mut compiler = Command::new("cc");
            compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl");
            match workspace::succeeds(&mut compiler)? {
                true => Ok(library),
                false => Err("refuse.c does not compile".to_string()),
            }
        })
        .clone()
}
