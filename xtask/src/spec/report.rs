//! The printed report of a run.

use std::collections::BTreeMap;

use super::Results;
use super::counts::{self, Counts};
use super::outcome::Outcome;

#[derive(Default)]
struct Line {
    files: usize,
    passed: usize,
    failed: usize,
    errored: usize,
    crashed: usize,
    timed_out: usize,
    /// Examples that did not run, according to the recorded counts.
    not_run: usize,
    outside: usize,
}

/// One line per folder, and one for all.
pub fn summary(results: &Results, examples: &Counts) {
    let mut lines: BTreeMap<&str, Line> = BTreeMap::new();
    let mut all = Line::default();
    for (file, outcome) in results {
        for line in [lines.entry(counts::folder_of(file)).or_default(), &mut all] {
            line.files += 1;
            line.outside += outcome.outside.len();
            let known = examples.get(file).copied().unwrap_or_default();
            line.not_run += known.saturating_sub(outcome.examples.len());
            for (_, outcome) in &outcome.examples {
                match outcome {
                    Outcome::Passed | Outcome::Skipped => line.passed += 1,
                    Outcome::Failed(_) => line.failed += 1,
                    Outcome::Errored(_) => line.errored += 1,
                    Outcome::Crashed(_) => line.crashed += 1,
                    Outcome::TimedOut => line.timed_out += 1,
                }
            }
        }
    }
    for (folder, line) in &lines {
        print(folder, line);
    }
    if lines.len() > 1 {
        print("all", &all);
    }
}

fn print(name: &str, line: &Line) {
    let total = line.passed + line.failed + line.errored + line.crashed + line.timed_out + line.not_run;
    let share = if total == 0 { 100.0 } else { 100.0 * line.passed as f64 / total as f64 };
    println!(
        "{name:24} {share:6.2} %  {} of {total} pass in {} files ({} fail, {} raise, {} crash, {} take too long, \
         {} do not run, {} failures outside)",
        line.passed, line.files, line.failed, line.errored, line.crashed, line.timed_out, line.not_run, line.outside
    );
}

/// The first failures, one per line.
pub fn failures(results: &Results, limit: usize) {
    let all =
        results.iter().flat_map(|(file, outcome)| outcome.failures().into_iter().map(move |failure| (file, failure)));
    for (file, (description, reason)) in all.take(limit) {
        println!("{file}: {description}\n  {reason}");
    }
}
