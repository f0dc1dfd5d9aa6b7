//! `spec`: ruby/spec under mspec, both run by Beni.

mod counts;
mod outcome;
mod process;
mod report;
mod suite;
mod tags;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::progress::Progress;
use crate::test::{self, Tally};
use crate::{Outcome, build, workspace};
use counts::Counts;
use outcome::FileOutcome;
pub use process::Check;
use process::Interpreter;
use suite::Suite;

/// The folders that run by default.
const FOLDERS: &[&str] = &["language", "command_line", "core", "library", "security", "optional/capi"];

/// The outcomes of spec files by name.
type Results = BTreeMap<String, FileOutcome>;

struct Options {
    patterns: Vec<String>,
    jobs: usize,
    update_tags: bool,
    record_examples: bool,
    /// A folder with checkouts to use instead of the pinned suite; they have no tags.
    newest: Option<PathBuf>,
    interpreter: Option<PathBuf>,
    version: Option<String>,
    check: Check,
    profile: String,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut arguments = arguments.to_vec();
        let jobs = workspace::take_option(&mut arguments, "--jobs")?;
        let jobs = jobs.map(|jobs| jobs.parse().map_err(|_| format!("--jobs {jobs} is not a number"))).transpose()?;
        let options = Options {
            jobs: jobs.unwrap_or_else(default_jobs),
            update_tags: workspace::take_switch(&mut arguments, "--update-tags"),
            record_examples: workspace::take_switch(&mut arguments, "--record-examples"),
            newest: workspace::take_option(&mut arguments, "--newest")?.map(PathBuf::from),
            interpreter: workspace::take_option(&mut arguments, "--interpreter")?.map(PathBuf::from),
            version: workspace::take_option(&mut arguments, "--guard-version")?,
            check: take_check(&mut arguments),
            profile: workspace::take_option(&mut arguments, "--profile")?.unwrap_or_else(|| "quick".to_string()),
            patterns: arguments,
        };
        match options.patterns.iter().find(|pattern| pattern.starts_with('-')) {
            Some(unknown) => Err(format!("unknown argument {unknown}")),
            None => Ok(options),
        }
    }
}

fn take_check(arguments: &mut Vec<String>) -> Check {
    if workspace::take_switch(arguments, "--stress") {
        Check::Stress
    } else if workspace::take_switch(arguments, "--verify-facts") {
        Check::Facts
    } else {
        Check::Nothing
    }
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub fn main(arguments: &[String]) -> Outcome {
    let options = Options::parse(arguments)?;
    let suite = match &options.newest {
        Some(folder) => Suite::in_folder(folder)?,
        None => Suite::pinned()?,
    };
    let path = match &options.interpreter {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => build::beni(&options.profile)?,
    };
    let interpreter = Interpreter { path, version: options.version.clone(), check: options.check };
    let patterns = if options.patterns.is_empty() {
        FOLDERS.iter().map(ToString::to_string).collect()
    } else {
        options.patterns.clone()
    };
    let results = run_files(&interpreter, &suite, &suite.files(&patterns)?, options.jobs)?;
    if options.record_examples {
        return record_examples(&results);
    }
    if options.update_tags {
        if !suite.tagged {
            return Err("the package of the suite to which the tags belong is not available".to_string());
        }
        return update_tags(&suite, &results);
    }
    if options.newest.is_some() || options.interpreter.is_some() {
        report::failures(&results, 200);
        report::summary(&results, &Counts::new());
        return Ok(true);
    }
    let tally = judge(&interpreter, &suite, &results)?;
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

/// Runs the folders with a floor, for `test`.
pub fn check(beni: PathBuf) -> Result<Option<Tally>, String> {
    let folders: Vec<String> = counts::read(counts::FLOOR)?.into_keys().collect();
    if folders.is_empty() {
        return Ok(None);
    }
    let suite = Suite::pinned()?;
    let interpreter = Interpreter { path: beni, version: None, check: Check::Nothing };
    let results = run_files(&interpreter, &suite, &suite.files(&folders)?, default_jobs())?;
    judge(&interpreter, &suite, &results).map(Some)
}

/// The folders that `test` runs with a collection at every allocation: a sample of the whole.
const STRESSED: &[&str] = &["core/gc", "core/objectspace", "core/hash", "core/struct", "core/fiber", "optional/capi"];

/// The folders that `test` runs with a check of the facts of native methods: those with most of the facts.
const VERIFIED: &[&str] = &["core/string", "core/hash", "core/array", "core/comparable", "core/matchdata", "core/file"];

/// Runs the sample under stress, for `test`.
pub fn check_stressed(beni: PathBuf) -> Result<Tally, String> {
    check_with(beni, Check::Stress, STRESSED)
}

/// Runs the sample with a check of facts, for `test`.
pub fn check_facts(beni: PathBuf) -> Result<Tally, String> {
    check_with(beni, Check::Facts, VERIFIED)
}

/// Runs all folders with a floor under a check, for `nightly` and `torture`.
pub fn check_all(beni: PathBuf, check: Check) -> Result<Tally, String> {
    let folders: Vec<String> = counts::read(counts::FLOOR)?.into_keys().collect();
    check_with(beni, check, &folders.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Runs folders or files under a check.
pub fn check_with(beni: PathBuf, check: Check, folders: &[&str]) -> Result<Tally, String> {
    let suite = Suite::pinned()?;
    let interpreter = Interpreter { path: beni, version: None, check };
    let folders: Vec<String> = folders.iter().map(ToString::to_string).collect();
    let results = run_files(&interpreter, &suite, &suite.files(&folders)?, default_jobs())?;
    judge(&interpreter, &suite, &results)
}

fn run_files(interpreter: &Interpreter, suite: &Suite, files: &[String], jobs: usize) -> Result<Results, String> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Ok(Results::new()));
    let progress = Progress::new("specs", files.len());
    std::thread::scope(|scope| {
        for worker in 0..jobs.max(1) {
            let (next, results, progress) = (&next, &results, &progress);
            scope.spawn(move || {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = process::run(interpreter, suite, file, worker);
                    progress.step(file);
                    let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    match (&mut *results, outcome) {
                        (Ok(results), Ok(outcome)) => drop(results.insert(file.clone(), outcome)),
                        (slot, Err(error)) => *slot = Err(error),
                        (Err(_), Ok(_)) => return,
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Compares with the tags and the floor. Unexpected failures run again alone, so that a busy machine does not look like
/// a defect.
fn judge(interpreter: &Interpreter, suite: &Suite, results: &Results) -> Result<Tally, String> {
    let mut results = results.clone();
    let mut tally = Tally::default();
    let mut passing_tags = 0;
    if !suite.tagged {
        println!("the tags belong to another suite: only crashes and timeouts count as failures");
    }
    for file in results.keys().cloned().collect::<Vec<_>>() {
        let tags = tags::read(&file)?;
        let judges_all = suite.tagged && !interpreter.check.spoils_results();
        let unexpected = |outcome: &FileOutcome| unexpected(outcome, &tags, judges_all);
        if !unexpected(&results[&file]).is_empty() {
            let again = process::run(interpreter, suite, &file, 0)?;
            if unexpected(&again).is_empty() {
                println!("{file} passes only when it runs alone");
            }
            results.insert(file.clone(), again);
        }
        let outcome = &results[&file];
        for (description, reason) in unexpected(outcome) {
            test::failure(&format!("FAILED {file}: {description}\n  {reason}"));
            tally.failed += 1;
        }
        let failures = outcome.failures();
        let lasting = tags.iter().filter(|(_, reason)| !tags::depends_on_surroundings(reason));
        passing_tags += lasting.filter(|(tag, _)| !failures.contains_key(*tag)).count();
        tally.passed += outcome.passed();
    }
    report::summary(&results, &counts::read(counts::EXAMPLES)?);
    if passing_tags > 0 && interpreter.check == Check::Nothing {
        println!("{passing_tags} tagged examples pass or do not exist any more: run cargo xtask spec --update-tags");
    }
    if suite.tagged && !interpreter.check.spoils_results() {
        tally.failed += below_floor(suite, &results)?;
    }
    Ok(tally)
}

/// The untagged failures; for a suite without tags, the crashes and timeouts.
fn unexpected(outcome: &FileOutcome, tags: &tags::Tags, tagged: bool) -> Vec<(String, String)> {
    let failures = if tagged { outcome.failures() } else { outcome.disasters() };
    failures.into_iter().filter(|(description, _)| !tags.contains_key(description)).collect()
}

/// The number of completely run folders that pass fewer examples than their floor.
fn below_floor(suite: &Suite, results: &Results) -> Result<usize, String> {
    let mut failed = 0;
    let passing = passing_by_folder(suite, results)?;
    for (folder, floor) in counts::read(counts::FLOOR)? {
        if let Some(passed) = passing.get(&folder).filter(|passed| **passed < floor) {
            test::failure(&format!("FAILED {folder}: {passed} examples pass, {floor} passed before"));
            failed += 1;
        }
    }
    Ok(failed)
}

/// The number of passing examples of the folders all of whose files ran, without examples that depend on the
/// environment.
fn passing_by_folder(suite: &Suite, results: &Results) -> Result<Counts, String> {
    let mut passing = Counts::new();
    for (file, outcome) in results {
        let tags = tags::read(file)?;
        let counted = |name: &str| !tags.get(name).is_some_and(|reason| tags::depends_on_surroundings(reason));
        *passing.entry(counts::folder_of(file).to_string()).or_default() += outcome.passed_where(counted);
    }
    let mut whole = Counts::new();
    for (folder, count) in passing {
        let mut files = suite.files(std::slice::from_ref(&folder))?;
        files.retain(|file| counts::folder_of(file) == folder);
        if files.iter().all(|file| results.contains_key(file)) {
            whole.insert(folder, count);
        }
    }
    Ok(whole)
}

fn update_tags(suite: &Suite, results: &Results) -> Outcome {
    let reference = tags::reference_failures()?;
    for (file, outcome) in results {
        tags::update(file, &outcome.failures(), &reference)?;
    }
    report::summary(results, &counts::read(counts::EXAMPLES)?);
    let mut floor = counts::read(counts::FLOOR)?;
    let mut sank = false;
    for (folder, passed) in passing_by_folder(suite, results)? {
        let before = floor.entry(folder.clone()).or_default();
        if passed < *before {
            println!("FAILED {folder}: {passed} examples pass, {before} passed before: the floor stays");
            sank = true;
        }
        *before = passed.max(*before);
    }
    counts::write(counts::FLOOR, &floor)?;
    Ok(!sank)
}

fn record_examples(results: &Results) -> Outcome {
    let mut examples = counts::read(counts::EXAMPLES)?;
    examples.extend(results.iter().map(|(file, outcome)| (file.clone(), outcome.examples.len())));
    counts::write(counts::EXAMPLES, &examples)?;
    tags::record_reference_failures(results.iter().map(|(file, outcome)| (file.as_str(), outcome.failures())))?;
    report::failures(results, 50);
    report::summary(results, &Counts::new());
    Ok(true)
}
