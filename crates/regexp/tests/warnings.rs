//! Warnings against those recorded from CRuby (the version is in the file).

mod support;

use support::compile;

#[test]
fn warnings_are_cruby_s() {
    let mut wrong = Vec::new();
    for line in include_str!("data/warnings.txt").lines().skip(1) {
        let mut parts = line.split('\t');
        let source = parts.next().unwrap();
        let expected: Vec<&str> = parts.collect();
        let found: Vec<String> = compile(source, "").warnings().into_iter().map(|warning| warning.message).collect();
        if found != expected {
            wrong.push(format!("{source}: {expected:?}, not {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_warnings_are_only_for_verbose_mode() {
    let verbose = |source| compile(source, "").warnings().iter().map(|warning| warning.verbose).collect::<Vec<_>>();
    assert_eq!(verbose("[aa]"), [true]);
    assert_eq!(verbose(r"\j"), [true]);
    assert_eq!(verbose("[a-c-e]"), [false]);
    assert_eq!(verbose("a**"), [false]);
    assert_eq!(verbose("x]"), [false]);
}
