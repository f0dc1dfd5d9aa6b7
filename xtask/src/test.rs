//! `test`: all tests, with counts at the end.

use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Outcome;
use crate::{build, formats, gems, growth, limited, programs, progress, scenarios, spec, stdlib, workspace};

/// The numbers of passed and failed checks of one kind.
#[derive(Default, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// The messages of what failed so far.
static FAILURES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints the message of a failure. `main` prints it once more at the end: often only the last lines of a log are kept.
pub fn failure(message: &str) {
    println!("{message}");
    failures().push(message.to_string());
}

fn failures() -> MutexGuard<'static, Vec<String>> {
    FAILURES.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let profile = workspace::take_option(&mut arguments, "--profile")?;
    workspace::expect_none(&arguments)?;
    let profile = profile.as_deref().unwrap_or("quick");

    let mut total = Tally::default();
    let mut stage = |name: &str, tally: Tally| {
        println!("{name}: {} passed, {} failed", tally.passed, tally.failed);
        total.add(tally);
    };
    let has_beni = workspace::has_crate("cli");
    if has_beni {
        // Some test programs load files from it.
        stdlib::ensure()?;
    }
    stage("cargo test", cargo_test()?);
    if !formats::is_there("chromium") {
        println!("pages: skipped, chromium is not installed (the tests of crates/cli/tests/pages.rs did nothing)");
    }
    if has_beni {
        let beni = build::beni(profile)?;
        match scenarios::folder() {
            Some(folder) => stage("scenarios", scenarios::run(&beni, &folder)?),
            None => println!("scenarios: skipped, there is no folder of scenarios"),
        }
        stage("programs", programs::check(&beni, &workspace::names("spec/programs.txt")?)?);
        stage("gems", gems::check(&beni)?);
        stage("formats", formats::check(&beni)?);
        match growth::can_count() {
            true => stage("growth", growth::run(&beni, &[], false)?),
            false => println!("growth: skipped, valgrind is not installed"),
        }
        match spec::check(beni.clone())? {
            Some(tally) => {
                stage("ruby/spec", tally);
                stage("ruby/spec under stress", spec::check_stressed(beni.clone())?);
                stage("ruby/spec with facts checked", spec::check_facts(beni)?);
            }
            None => println!("ruby/spec: no folder has a floor in spec/floor.txt yet"),
        }
    } else {
        println!("scenarios and ruby/spec: there is no beni in this checkout to run them");
    }
    for message in failures().iter() {
        println!("failed: {message}");
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(total.failed == 0)
}

/// The time that a process of a test may take: several times that of the longest.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// `cargo test` for the whole workspace. A run that fails without a failing test (it does not
/// build, a test process dies) counts as one failure. A process that hangs is killed, so that its test fails.
fn cargo_test() -> Result<Tally, String> {
    let mut command = workspace::cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]).stderr(Stdio::inherit());
    let told = |line: &str| failure(&format!("killed after {} s: {line}", LIMIT.as_secs()));
    let work = || progress::output(&mut command, "tests", name_of_test);
    let (text, status) = limited::watched(&workspace::target().join("debug"), LIMIT, told, work)?;
    let mut tally = cargo_test_tally(&text);
    if !status.success() {
        print!("{text}");
        tally.failed = tally.failed.max(1);
        match cargo_test_failures(&text).as_slice() {
            [] => failure("cargo test: it did not build, or a test process died"),
            messages => messages.iter().for_each(|message| failure(message)),
        }
    }
    Ok(tally)
}

/// The name of the test whose result a line is.
fn name_of_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.split_once(" ... ").map(|(name, _)| name)
}

/// The output of the failed tests: for each test binary that has some, what stands between its first line `failures:`
/// and its second, which begins the list of names.
fn cargo_test_failures(text: &str) -> Vec<String> {
    let results = text.split("\ntest result:");
    results.filter_map(|result| Some(result.split("\nfailures:\n").nth(1)?.trim().to_string())).collect()
}

/// Adds up the lines `test result: ok. 3 passed; 1 failed; …`.
fn cargo_test_tally(text: &str) -> Tally {
    let mut tally = Tally::default();
    for line in text.lines().filter(|line| line.starts_with("test result:")) {
        tally.passed += number_before(line, " passed");
        tally.failed += number_before(line, " failed");
    }
    tally
}

fn number_before(line: &str, word: &str) -> usize {
    let before = line.split(word).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_test_binaries_are_added_up() {
        let text = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\n\
                    test result: FAILED. 11 passed; 3 failed; 0 ignored\n";
        assert_eq!(cargo_test_tally(text), Tally { passed: 13, failed: 3 });
    }

    #[test]
    fn the_output_of_failed_tests_is_found() {
        let text = "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\n\
                    failures:\n\n---- b stdout ----\n1 is not 2\n\n\n\
                    failures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed\nrunning 0 tests\n\n\
                    test result: ok. 0 passed; 0 failed\n";
        assert_eq!(cargo_test_failures(text), ["---- b stdout ----\n1 is not 2"]);
    }
}
