//! `nightly [spec] [random] [soak]`: checks that take too long for each change, or some of them; their date and result
//! go into `docs/testing.md`. `--soak SECONDS` sets the duration of the server's run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::spec::Check;
use crate::test::Tally;
use crate::{Outcome, build, spec, stdlib, workspace};

const DOCUMENT: &str = "docs/testing.md";
/// The heading above the table of results, and the beginning of its rows.
const HEADING: &str = "## Nightly";

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let profile = workspace::take_option(&mut arguments, "--profile")?.unwrap_or_else(|| "quick".to_string());
    let interpreter = workspace::take_option(&mut arguments, "--interpreter")?.map(PathBuf::from);
    let soak = match workspace::take_option(&mut arguments, "--soak")? {
        Some(seconds) => seconds.parse().map_err(|_| format!("--soak {seconds} is not a number of seconds"))?,
        None => SOAK_SECONDS,
    };
    if let Some(unknown) = arguments.iter().find(|part| !PARTS.contains(&part.as_str())) {
        return Err(format!("unknown argument {unknown}"));
    }
    let chosen = |part: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == part);
    stdlib::ensure()?;
    let beni = match interpreter {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => build::beni(&profile)?,
    };
    let mut failed = 0;
    for (name, check) in CHECKS.iter().filter(|_| chosen("spec")) {
        let tally = spec::check_all(beni.clone(), *check)?;
        println!("{name}: {} passed, {} failed", tally.passed, tally.failed);
        record(name, tally)?;
        failed += tally.failed;
    }
    if chosen("random") {
        let random = random_programs(&profile)?;
        record("random programs and calls", random)?;
        failed += random.failed;
    }
    if chosen("soak") {
        let (passed, result) = server(&beni, soak)?;
        record_result("a server: memory, descriptors, threads", &result)?;
        failed += usize::from(!passed);
    }
    Ok(failed == 0)
}

const PARTS: [&str; 3] = ["spec", "random", "soak"];

/// How long the server of `bench/soak.rb` runs.
const SOAK_SECONDS: u64 = 4 * 3600;

/// Runs the server; whether what it uses stays constant, and a description.
fn server(beni: &Path, seconds: u64) -> Result<(bool, String), String> {
    let mut command = Command::new(beni);
    command.arg("bench/soak.rb").arg(seconds.to_string()).current_dir(workspace::root());
    command.env("BENI_STDLIB", stdlib::ensure()?);
    let output = command.output().map_err(|error| workspace::could_not_start(&command, &error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    let requests = text.lines().next().unwrap_or("no requests");
    let last = text.lines().rev().find(|line| line.starts_with("memory")).unwrap_or("nothing measured");
    let outcome = if output.status.success() { "constant" } else { "not constant" };
    Ok((output.status.success(), format!("{seconds} seconds, {requests}: {outcome} ({last})")))
}

/// The ways in which all of ruby/spec is run.
const CHECKS: &[(&str, Check)] = &[
    ("ruby/spec under `--verify-facts`", Check::Facts),
    ("ruby/spec, a thread switch at each safepoint", Check::Switch(1)),
    ("ruby/spec, a signal at each safepoint", Check::Signal(1)),
    ("ruby/spec, the first large allocation of each example refused", Check::Refuse(1)),
    ("ruby/spec, a collection at each allocation", Check::Stress),
];

/// The number of random programs, and of processes that make random calls, in a night.
const RANDOM: u64 = 500;

/// Runs the test of random programs with seeds of its own for each day; a failure prints its seed.
fn random_programs(profile: &str) -> Result<Tally, String> {
    let days = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let mut command = workspace::cargo();
    command
        .args(["test", "--profile", profile, "-p", "beni-cli", "--test", "random_programs"])
        .env("BENI_FUZZ_FIRST", (days * RANDOM).to_string())
        .env("BENI_FUZZ_COUNT", RANDOM.to_string());
    let status = command.status().map_err(|error| workspace::could_not_start(&command, &error))?;
    let failed = usize::from(!status.success());
    Ok(Tally { passed: (1 - failed) * 2 * RANDOM as usize, failed })
}

fn record(name: &str, tally: Tally) -> Result<(), String> {
    record_result(name, &format!("{} passed, {} failed", tally.passed, tally.failed))
}

/// Replaces the row of a check.
fn record_result(name: &str, result: &str) -> Result<(), String> {
    let path = workspace::root().join(DOCUMENT);
    let text = workspace::read(&path)?;
    let row = format!("| {name} | {} | {result} |", today());
    let changed = with_row(&text, name, &row).ok_or_else(|| format!("{DOCUMENT} has no table below `{HEADING}`"))?;
    fs::write(&path, changed).map_err(|error| format!("{DOCUMENT}: {error}"))
}

/// The document with the row of a check replaced, or added at the end of the table.
fn with_row(text: &str, name: &str, row: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let heading = lines.iter().position(|line| *line == HEADING)?;
    let table = heading + lines[heading..].iter().position(|line| line.starts_with("| "))?;
    let end = table + lines[table..].iter().take_while(|line| line.starts_with('|')).count();
    match lines[table..end].iter().position(|line| line.starts_with(&format!("| {name} |"))) {
        Some(place) => lines[table + place] = row,
        None => lines.insert(end, row),
    }
    Some(lines.join("\n") + "\n")
}

/// The date in UTC, as `2026-07-30`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_days() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(59), (1970, 3, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_453), (2025, 12, 31));
    }

    #[test]
    fn a_row_is_replaced_or_added() {
        let text = "# T\n\n## Nightly\n\n| what | when |\n| --- | --- |\n| a | 1 |\n\nend\n";
        assert_eq!(with_row(text, "a", "| a | 2 |"), Some(text.replace("| a | 1 |", "| a | 2 |")));
        assert_eq!(with_row(text, "b", "| b | 2 |"), Some(text.replace("| a | 1 |", "| a | 1 |\n| b | 2 |")));
        assert_eq!(with_row("# T\n", "a", "| a |"), None);
    }
}
