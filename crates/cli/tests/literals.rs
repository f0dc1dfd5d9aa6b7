//! Literal arguments: methods that keep nothing of them are passed no String of their own, and no program sees that.

use std::path::Path;
use std::process::Command;

fn run(options: &[&str], program: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/literals");
    let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
    let output = command.args(options).arg("-W0").arg(folder.join(program)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn literals_that_are_only_read_are_no_objects() {
    assert_eq!(run(&[], "allocations.rb"), "");
}

/// Recorded from CRuby 4.1dev of July 2026.
const SEEN: &str = include_str!("literals/seen.out");

#[test]
fn programs_see_strings_of_their_own() {
    assert_eq!(run(&[], "seen.rb"), SEEN);
    assert_eq!(run(&["--stress-gc=3", "--verify-heap"], "seen.rb"), SEEN);
}

#[test]
fn what_is_known_of_native_methods_is_true() {
    assert_eq!(run(&["--verify-facts"], "seen.rb"), SEEN);
}
