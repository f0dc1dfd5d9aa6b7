//! The hostile-answers test: `hostile/places.txt` lists the places where core methods call methods of the program's
//! objects. There, `hostile/answers.rb` returns unexpected values (5, nil, any object), raises, throws, modifies or
//! freezes the receiver, and collects. No place may crash or assume a wrong type.

use std::path::Path;
use std::process::Command;

fn check(options: &[&str], arguments: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let output = Command::new(env!("CARGO_BIN_EXE_beni"))
        .args(options)
        .args(["-W0", "answers.rb"])
        .args(arguments)
        .current_dir(&folder)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let last = printed.lines().last().unwrap_or_default();
    let errors = String::from_utf8_lossy(&output.stderr);
    let is_well = output.status.success() && last.starts_with("0 of ") && !errors.contains("internal error");
    assert!(is_well, "{:?}\n{printed}\n{errors}", output.status);
}

#[test]
fn no_answer_of_a_program_breaks_a_native_method() {
    check(&[], &[]);
}

#[test]
fn nor_with_a_collection_at_every_few_allocations() {
    check(&["--stress-gc=13"], &["sample"]);
}
