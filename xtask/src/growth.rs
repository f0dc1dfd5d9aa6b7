//! `growth`: counts the machine instructions of the operations in `bench/growth.rb` at n, 2n, 4n and 8n.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::test::{self, Tally};
use crate::{Outcome, build, progress, stdlib, workspace};

/// The native method that the program calls before and after each measured section, and nowhere else.
const MARK: &str = "core_classes::process::clock_getres";
/// The number of sizes at which each row is measured.
const SIZES: usize = 4;

/// One row as the program printed it.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    /// The largest permitted ratio of the costs at 8n and n.
    bound: u64,
    /// The result at n.
    result: String,
}

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let profile = workspace::take_option(&mut arguments, "--profile")?;
    stdlib::ensure()?;
    let beni = build::beni(profile.as_deref().unwrap_or("quick"))?;
    let tally = run(&beni, &arguments, true)?;
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

/// Whether valgrind is installed.
pub fn can_count() -> bool {
    Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Measures the rows. Prints all of them, or those that grow too fast or whose result differs from CRuby's.
pub fn run(beni: &Path, arguments: &[String], all: bool) -> Result<Tally, String> {
    let counts_file = workspace::target().join("growth.callgrind");
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind", "--dump-line=no", "--combine-dumps=yes"]);
    command.arg(format!("--dump-before={MARK}"));
    command.arg(format!("--callgrind-out-file={}", counts_file.display()));
    // Without the compiler to machine code: it compiles once, at a time that depends on another thread, so its
    // instructions are not part of the growth.
    command.arg(beni).arg("--jit=off").arg(workspace::root().join("bench/growth.rb")).arg("--counts").args(arguments);
    let (printed, status) = progress::output(&mut command, "growth", |line| line.split('\t').next())?;
    let rows = rows(&printed);
    let counts = counts(&workspace::read(&counts_file)?);
    let _ = std::fs::remove_file(&counts_file);
    let expected = workspace::read(&workspace::root().join("bench/growth.txt"))?;
    let mut tally = Tally::default();
    for (i, row) in rows.iter().enumerate() {
        let Some(counts) = counts.get(i * SIZES..(i + 1) * SIZES) else {
            return Err(format!("{} rows, but only {} counts", rows.len(), counts.len()));
        };
        let line = format!("{}\t{}", row.name, row.result);
        let fault = fault(row, counts, expected.lines().any(|known| known == line));
        if fault.is_some() {
            tally.failed += 1
        } else {
            tally.passed += 1
        }
        let thousands: Vec<String> = counts.iter().map(|count| format!("{:8}", count / 1000)).collect();
        let line = format!("{:76} {}", row.name, thousands.join(" "));
        match fault {
            Some(fault) => test::failure(&format!("{line} {fault}")),
            None if all => println!("{line}"),
            None => {}
        }
    }
    if !status.success() || rows.is_empty() {
        test::failure(&format!("bench/growth.rb failed after {} rows", rows.len()));
        tally.failed += 1;
    }
    Ok(tally)
}

/// Describes the failure of a row with these costs at each size, if it fails.
fn fault(row: &Row, counts: &[u64], result_is_expected: bool) -> Option<String> {
    let (first, last) = (counts[0].max(1), counts[SIZES - 1]);
    if !result_is_expected {
        return Some(format!("result {} differs from bench/growth.txt", row.result));
    }
    (last > first * row.bound).then(|| format!("grows {} times, bound {}", last / first, row.bound))
}

/// Parses lines of a name, a bound and the result at each size, separated by tabs.
fn rows(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let mut fields = line.split('\t');
        let (name, bound, result) = (fields.next()?, fields.next()?.parse().ok()?, fields.next()?);
        Some(Row { name: name.to_string(), bound, result: result.to_string() })
    };
    text.lines().filter_map(row).collect()
}

/// The instructions between the first mark and the second, the third and the fourth, and so on. Callgrind dumps its
/// counts before each mark; a dump covers the instructions since the previous one.
fn counts(dumps: &str) -> Vec<u64> {
    let (mut counts, mut at_mark, mut marks) = (Vec::new(), false, 0);
    for line in dumps.lines() {
        if let Some(trigger) = line.strip_prefix("desc: Trigger:") {
            at_mark = trigger.ends_with(MARK);
        } else if let Some(total) = line.strip_prefix("summary:").filter(|_| at_mark) {
            at_mark = false;
            marks += 1;
            if marks % 2 == 0 {
                counts.push(total.trim().parse().unwrap_or(0));
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_between_two_marks_are_counted() {
        let part = |trigger: &str, count: u32| format!("desc: Trigger: {trigger}\nsummary: {count}\ntotals: {count}\n");
        let mark = "--dump-before=core_classes::process::clock_getres";
        let dumps = [part(mark, 900), part("--dump-before=clock_getres@@GLIBC", 8), part(mark, 40), part(mark, 700)];
        let end = [part(mark, 90), part("Program termination", 5)];
        assert_eq!(counts(&(dumps.concat() + &end.concat())), [40, 90]);
    }

    #[test]
    fn a_row_of_quadratic_growth_fails() {
        let [row] = &rows("String#<<\t12\t7\t14\t28\t56\nsomething else\n")[..] else { panic!("one row") };
        assert_eq!(fault(row, &[100, 200, 400, 800], true), None);
        assert_eq!(fault(row, &[100, 400, 1600, 6400], true).as_deref(), Some("grows 64 times, bound 12"));
        assert!(fault(row, &[100, 200, 400, 800], false).is_some());
    }
}
