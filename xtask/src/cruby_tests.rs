//! `cruby-tests`: runs CRuby's own tests (`test/` of its source) with Beni.
//!
//! `spec/cruby_tests.txt` has a section for each test file that is run: `[FILE] COUNT`, the number of tests, and a line
//! `TEST | REASON` for each test that is known to fail. Any other failure makes the run fail, and so does a listed test
//! that passes, or a file with a different number of tests, so that tests that did not run are noticed.
//! A test whose reason begins with `not run: ` is left out: it would end the run of its file.
//! `spec/cruby_tests_newest.txt` is the same for the tests of the newest CRuby, whose source `--source` names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::{Outcome, build, fetch, limited, stdlib, workspace};

mod extensions;

const LIST: &str = "spec/cruby_tests.txt";
/// The list for other sources (`--source`): the newest CRuby, which no package holds.
const NEWEST: &str = "spec/cruby_tests_newest.txt";
/// The time limit of a file.
const TIME_LIMIT: Duration = Duration::from_secs(180);
/// The limit of a process's address space in kilobytes, which protects the machine.
const MEMORY_LIMIT: u64 = 8 << 20;
/// The beginning of the reason of a test that is not run.
const NOT_RUN: &str = "not run: ";
/// The maximum length of a reason that is taken from a message.
const REASON_LENGTH: usize = 110;

/// A test file's section of the list, or the result of a run.
#[derive(Default)]
struct Section {
    tests: usize,
    /// The failing tests with their reasons.
    failing: BTreeMap<String, String>,
}

type List = BTreeMap<String, Section>;

struct Run {
    interpreter: PathBuf,
    source: PathBuf,
    /// The standard library and the folder of CRuby's test extensions.
    library: Option<(PathBuf, PathBuf)>,
}

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let source = workspace::take_option(&mut arguments, "--source")?.map(PathBuf::from);
    let interpreter = workspace::take_option(&mut arguments, "--interpreter")?.map(PathBuf::from);
    let reference = workspace::take_option(&mut arguments, "--reference")?.map(PathBuf::from);
    let profile = workspace::take_option(&mut arguments, "--profile")?.unwrap_or_else(|| "quick".to_string());
    let update = workspace::take_switch(&mut arguments, "--update");
    if let Some(unknown) = arguments.iter().find(|argument| argument.starts_with('-')) {
        return Err(format!("unknown argument {unknown}"));
    }
    let is_pinned = source.is_none();
    let source = match source {
        Some(folder) => folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?,
        None => pinned()?,
    };
    let interpreter = match interpreter {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => build::beni(&profile)?,
    };
    let name = if is_pinned { LIST } else { NEWEST };
    let mut list = read_list(name)?;
    let files = if arguments.is_empty() { list.keys().cloned().collect() } else { arguments };
    let library = stdlib::ensure()?;
    let extensions = extensions::build(&interpreter, &source, &library)?;
    let run = Run { interpreter, source: source.clone(), library: Some((library, extensions)) };
    let mut found = run.files(&files, &list)?;
    if !update {
        return Ok(report(name, &list, &found));
    }
    if let Some(reference) = reference {
        explain(&mut found, &list, &Run { interpreter: reference, source, library: None })?;
    }
    for (file, mut section) in found {
        let known = list.get(&file).map(|known| &known.failing);
        let left_out = known.into_iter().flatten().filter(|(_, reason)| reason.starts_with(NOT_RUN));
        section.failing.extend(left_out.map(|(test, reason)| (test.clone(), reason.clone())));
        for (test, reason) in &mut section.failing {
            // Reasons may have been edited by hand.
            if let Some(known) = list.get(&file).and_then(|known| known.failing.get(test)) {
                reason.clone_from(known);
            }
        }
        list.insert(file, section);
    }
    let path = workspace::root().join(name);
    let former = fs::read_to_string(&path).unwrap_or_default();
    fs::write(path, written(&former, &list)).map_err(|error| format!("cannot write {name}: {error}"))?;
    println!("{name}: {} failing tests", list.values().map(|section| section.failing.len()).sum::<usize>());
    Ok(true)
}

/// CRuby's tests of the pinned source package.
fn pinned() -> Result<PathBuf, String> {
    let mut errors = Vec::new();
    for pin in fetch::pins("ruby")? {
        let folder = workspace::target().join("cruby-tests").join(format!("{}-with-extensions", pin.stem()));
        let unpack = |partial: &Path| {
            let chosen = |path: &Path| ["test", "tool", "ext/-test-"].iter().any(|top| path.starts_with(top));
            fetch::unpack_tar_xz(&fetch::download(&pin)?, partial, |path| chosen(path).then(|| path.to_path_buf()))?;
            Ok(())
        };
        match fetch::folder_once(&folder, &pin.sha256, unpack) {
            Ok(()) => return Ok(folder),
            Err(error) => errors.push(error),
        }
    }
    Err(errors.join("\n"))
}

/// Marks the failures that the reference also has.
fn explain(found: &mut List, list: &List, reference: &Run) -> Result<(), String> {
    let files: Vec<String> =
        found.iter().filter(|(_, s)| !s.failing.is_empty()).map(|(file, _)| file.clone()).collect();
    let theirs = reference.files(&files, list)?;
    for (file, section) in found.iter_mut() {
        let Some(theirs) = theirs.get(file) else { continue };
        for (test, reason) in &mut section.failing {
            if theirs.failing.contains_key(test) {
                *reason = "CRuby 4.1dev fails as well".to_string();
            }
        }
    }
    Ok(())
}

impl Run {
    /// Runs files, several at once.
    fn files(&self, files: &[String], list: &List) -> Result<List, String> {
        let (next, found) = (AtomicUsize::new(0), Mutex::new(List::new()));
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let work = || {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let section = self.file(file, list.get(file))?;
                    found.lock().map_err(|_| "another file's run failed".to_string())?.insert(file.clone(), section);
                }
                Ok::<(), String>(())
            };
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a worker failed".to_string())?)
        })?;
        found.into_inner().map_err(|_| "a worker failed".to_string())
    }

    fn file(&self, file: &str, known: Option<&Section>) -> Result<Section, String> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -v {MEMORY_LIMIT}; exec \"$@\"")).arg("sh").arg(&self.interpreter);
        command.args(["-W0", "test/runner.rb", "--verbose", "--seed=1", file]).current_dir(&self.source);
        if let Some((library, extensions)) = &self.library {
            command.env("BENI_STDLIB", library).env("RUBYLIB", extensions);
        }
        let left_out = known.into_iter().flat_map(|known| &known.failing).filter(|(_, why)| why.starts_with(NOT_RUN));
        for name in left_out.filter_map(|(test, _)| test.split('#').nth(1)) {
            command.arg("-n").arg(format!("!/\\b{name}$/"));
        }
        let printed = limited::output(&mut command, TIME_LIMIT)?;
        let text = String::from_utf8_lossy(&printed.stdout);
        let log = workspace::target().join("cruby-tests/log").join(file.replace('/', "_")).with_extension("log");
        let _ = fs::create_dir_all(log.parent().unwrap_or(&log));
        let _ = fs::write(&log, [&printed.stdout[..], &printed.stderr[..]].concat());
        let mut section = parse(&text);
        if !text.lines().any(|line| line.starts_with("Finished tests in ")) {
            let how = printed.status.map_or_else(|| "timeout".to_string(), |status| status.to_string());
            let last = text.lines().rev().find_map(started_test).unwrap_or("(load)");
            section.failing.insert(last.to_string(), format!("the run ends here: {how}"));
        }
        Ok(section)
    }
}

/// `[ 3/68] TestRange#test_each = 0.00 s`: the test's name.
fn started_test(line: &str) -> Option<&str> {
    let (counter, rest) = line.strip_prefix('[')?.split_once("] ")?;
    // A failure's message may begin with a bracket too: "[NameError] exception expected".
    let (at, of) = counter.split_once('/')?;
    [at, of].iter().all(|number| number.trim().parse::<usize>().is_ok()).then_some(())?;
    rest.split(" = ").next().filter(|name| name.contains('#'))
}

/// The tests that started and those that failed, from the output of the runner.
fn parse(text: &str) -> Section {
    let tests: BTreeSet<&str> = text.lines().filter_map(started_test).collect();
    let mut section = Section { tests: tests.len(), ..Section::default() };
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let is_failure = line.strip_prefix(' ').is_some_and(|line| {
            let Some((number, kind)) = line.trim_start().split_once(") ") else { return false };
            number.parse::<usize>().is_ok() && matches!(kind, "Failure:" | "Error:" | "Timeout:")
        });
        if !is_failure {
            continue;
        }
        let name = lines.next().and_then(|line| line.split(' ').next()).map(|name| name.trim_end_matches(':'));
        let Some(name) = name else { break };
        // A timeout has no message: the next failure may follow at once.
        let message = lines.clone().take(3).find(|line| !line.trim().is_empty()).unwrap_or("no message");
        section.failing.insert(name.to_string(), reason_of(message));
    }
    section
}

/// The message with absolute paths cut to their last component, so that it reads the same on every machine.
fn without_folders(message: &str) -> String {
    let (mut text, mut rest) = (String::new(), message);
    while let Some(at) = rest.find('/') {
        let begins_path = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || "._-/:".contains(c));
        let end =
            rest[at..].find(|c: char| c.is_whitespace() || "\"'`:,;()<>".contains(c)).map_or(rest.len(), |n| at + n);
        text.push_str(&rest[..at]);
        let path = &rest[at..end];
        let last = path.rsplit_once('/').filter(|(folders, file)| !folders.is_empty() && !file.is_empty());
        text.push_str(last.filter(|_| begins_path).map_or(path, |(_, file)| file));
        rest = &rest[end..];
    }
    text + rest
}

/// A message as a reason: one short line without parts that differ between runs.
fn reason_of(message: &str) -> String {
    let masked: String =
        without_folders(message).replace('|', "/").chars().filter(|c| !c.is_control()).take(REASON_LENGTH).collect();
    masked.split("0x0").next().unwrap_or_default().trim().to_string()
}

fn report(name: &str, list: &List, found: &List) -> bool {
    let mut passed = true;
    let (mut tests, mut failing) = (0, 0);
    for (file, section) in found {
        let known = list.get(file);
        tests += section.tests;
        failing += section.failing.len();
        let is_known = |test: &str| known.is_some_and(|known| known.failing.contains_key(test));
        for (test, reason) in section.failing.iter().filter(|(test, _)| !is_known(test)) {
            println!("{file}: {test} fails: {reason}");
            passed = false;
        }
        let Some(known) = known else { continue };
        let not_run = |test: &str| known.failing[test].starts_with(NOT_RUN);
        for test in known.failing.keys().filter(|test| !section.failing.contains_key(*test) && !not_run(test)) {
            println!("{file}: {test} passes, but is in {name}");
            passed = false;
        }
        if known.tests != section.tests {
            println!("{file}: {} tests instead of {}", section.tests, known.tests);
            passed = false;
        }
    }
    println!("{} files, {tests} tests, {failing} fail", found.len());
    passed
}

fn read_list(name: &str) -> Result<List, String> {
    let path = workspace::root().join(name);
    let text = if path.exists() { workspace::read(&path)? } else { String::new() };
    let mut list = List::new();
    let mut file = String::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((section, count)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) {
            file = section.to_string();
            let tests = count.parse().map_err(|_| format!("{name}: no number of tests: {line}"))?;
            list.insert(file.clone(), Section { tests, ..Section::default() });
        } else if let (Some((test, reason)), Some(section)) = (line.split_once(" | "), list.get_mut(&file)) {
            section.failing.insert(test.to_string(), reason.to_string());
        } else {
            return Err(format!("{name}: not of the form TEST | REASON: {line}"));
        }
    }
    Ok(list)
}

/// The list, beginning with the comments of the file that it replaces.
fn written(former: &str, list: &List) -> String {
    let head = former.lines().take_while(|line| line.starts_with('#'));
    let mut text: String = head.flat_map(|line| [line, "\n"]).collect();
    if text.is_empty() {
        text = "# CRuby's own tests that Beni runs: [FILE] and its number of tests, then TEST | REASON for each test\n\
                # that is known to fail. `cargo xtask cruby-tests --update FILE …` records; edited reasons stay.\n"
            .to_string();
    }
    for (file, section) in list {
        let _ = writeln!(text, "\n[{file}] {}", section.tests);
        for (test, reason) in &section.failing {
            let _ = writeln!(text, "{test} | {reason}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_lose_their_folders() {
        let cut = super::without_folders("in \"/a/b/c.rb:3\", a/b, /x/ and http://h/p");
        assert_eq!(cut, "in \"c.rb:3\", a/b, /x/ and http://h/p");
    }

    use super::*;

    const PRINTED: &str = "[1/3] TestA#test_one = 0.00 s\n[2/3] TestA#test_two = 0.01 s\n\n  1) Failure:\n\
                           TestA#test_two [a.rb:3]:\n<1> expected but was\n<2>.\n\n  2) Error:\nTestA#test_three:\n\
                           NameError: x\n\nFinished tests in 0.1s\n";

    #[test]
    fn failures_are_found_in_the_output() {
        let section = parse(PRINTED);
        assert_eq!(section.tests, 2);
        let failing: Vec<_> = section.failing.iter().map(|(test, reason)| (test.as_str(), reason.as_str())).collect();
        assert_eq!(failing, [("TestA#test_three", "NameError: x"), ("TestA#test_two", "<1> expected but was")]);
    }

    #[test]
    fn a_timeout_does_not_hide_the_failure_behind_it() {
        let section = parse("  1) Timeout:\nA#one\n\n  2) Timeout:\nA#two\n\nFinished tests in 20 s\n");
        assert_eq!(section.failing.keys().collect::<Vec<_>>(), ["A#one", "A#two"]);
    }

    #[test]
    fn messages_in_brackets_are_no_tests() {
        let section = parse("[1/1] A#one = 0.0 s\n[NameError] exception expected, not #<NoMethodError: x>.\n");
        assert_eq!(section.tests, 1);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let list = List::from([("test/a.rb".to_string(), parse(PRINTED))]);
        assert!(
            written("", &list)
                .ends_with("[test/a.rb] 2\nTestA#test_three | NameError: x\nTestA#test_two | <1> expected but was\n")
        );
    }
}
