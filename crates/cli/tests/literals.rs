//! Literal arguments: methods that do not keep them receive no String of their own, and programs cannot observe this.

use std::path::Path;
use std::process::Command;

fn beni(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_beni")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn run(options: &[&str], program: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/literals").join(program);
    beni(&[options, &["-W0", path.to_str().unwrap()]].concat())
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
fn facts_about_native_methods_hold() {
    assert_eq!(run(&["--verify-facts"], "seen.rb"), SEEN);
}

/// A parameter that a method of a Ruby half only passes on is borrowed, which the compiler finds.
#[test]
fn parameters_that_a_ruby_half_only_passes_on_are_borrowed() {
    let facts = beni(&["--dump-facts", "-e", "0"]);
    for line in ["Dir.home: ruby_half borrows(0)", "IO.write: ruby_half borrows(0) borrows(1)"] {
        assert!(facts.lines().any(|of_method| of_method == line), "{line}");
    }
    // Not borrowed, because the argument is an element of the result.
    assert!(!facts.contains("Enumerable#each_with_object: ruby_half"));
}

/// Lines `METHOD PARAMETER | REASON`.
const NOT_BORROWED: &str = include_str!("literals/not_borrowed.txt");
const NOT_BORROWED_BY_LIBRARIES: &str = include_str!("literals/not_borrowed_by_libraries.txt");

/// The libraries that have native methods.
const LIBRARIES: &[&str] = &[
    "bigdecimal", "cgi/escape", "coverage", "date", "digest", "digest/bubblebabble", "digest/md5", "erb/escape", "etc",
    "fcntl", "gc_tracer", "io/console", "io/nonblock", "io/wait", "json", "monitor", "objspace", "openssl", "prism",
    "psych", "pty", "rbconfig", "ripper", "socket", "stringio", "strscan", "syslog", "zlib",
];

#[test]
fn parameters_that_are_not_borrowed_have_a_reason() {
    judge(&beni(&["--dump-facts", "-e", "0"]), NOT_BORROWED);
}

#[test]
fn parameters_that_libraries_do_not_borrow_have_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if std::env::var_os("BENI_STDLIB").is_none() && !root.join("target/stdlib").is_dir() {
        eprintln!("no standard library: cargo xtask stdlib");
        return;
    }
    let features: Vec<String> = LIBRARIES.iter().map(|feature| format!("-r{feature}")).collect();
    let options: Vec<&str> = features.iter().map(String::as_str).chain(["--dump-facts", "-e", "0"]).collect();
    let (all, core) = (beni(&options), beni(&["--dump-facts", "-e", "0"]));
    // Singleton classes of objects that are not modules are shown with the object's address.
    let is_of_library = |line: &&str| !line.starts_with("#<") && !core.lines().any(|of_core| of_core == *line);
    let lines: Vec<&str> = all.lines().filter(is_of_library).collect();
    assert!(lines.len() > 400);
    judge(&lines.join("\n"), NOT_BORROWED_BY_LIBRARIES);
}

/// Fails unless each parameter in the lines of facts is borrowed or has a reason, and each reason is used.
fn judge(facts_of_all: &str, reasons: &str) {
    let reasons: Vec<(&str, &str)> = reasons
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(" | ").unwrap().0.rsplit_once(' ').unwrap())
        .collect();
    let mut used = vec![false; reasons.len()];
    let mut unexplained = Vec::new();
    for line in facts_of_all.lines().filter(|line| !line.contains(": ruby_half")) {
        let (method, signature, facts) = parts(line);
        for (i, parameter) in positional(signature).enumerate() {
            if facts.contains("borrows_all") || facts.contains(&format!("borrows({i})")) {
                continue;
            }
            match reasons.iter().position(|(m, p)| fits(m, &method) && fits(p, parameter)) {
                Some(reason) => used[reason] = true,
                None => unexplained.push(format!("{method} {parameter}")),
            }
        }
    }
    let unused: Vec<_> = reasons.iter().zip(used).filter(|(_, used)| !used).map(|(reason, _)| reason).collect();
    assert!(unexplained.is_empty(), "borrows, or needs a reason:\n{}", unexplained.join("\n"));
    assert!(unused.is_empty(), "reasons for nothing: {unused:?}");
}

/// The method of a line of the dump, its parameters in parentheses if it has any, and its facts.
fn parts(line: &str) -> (String, &str, &str) {
    let name = line.find(['#', '.']).filter(|at| *at > 0).unwrap_or_else(|| line.find(">#").unwrap() + 1) + 1;
    let end = if line[name..].starts_with('(') { 2 } else { line[name..].find(['(', ' ', ':']).unwrap() };
    let (method, rest) = line.split_at(name + end);
    let (signature, facts) = rest.rsplit_once(':').unwrap();
    // For singleton classes of objects that are not modules, the address is replaced by the object's class.
    let method = match method.strip_prefix("#<Class:#<") {
        Some(object) => format!("(a {}){}", &object[..object.find(':').unwrap()], &method[name - 1..]),
        None => method.to_string(),
    };
    (method, signature, facts)
}

/// The names of the positional parameters, a rest parameter among them.
fn positional(signature: &str) -> impl Iterator<Item = &str> {
    let list = signature.strip_prefix('(').map_or("", |list| &list[..closing(list)]);
    let parameters = list.split(", ").filter(|p| !p.is_empty() && !p.starts_with("**") && !p.starts_with('&'));
    parameters.map(|p| p.trim_start_matches('*').split(" = ").next().unwrap()).filter(|p| !p.contains(':'))
}

fn closing(list: &str) -> usize {
    let mut depth = 0;
    let ends = |c: char| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth < 0
    };
    list.find(ends).unwrap()
}

/// Whether the text matches the pattern, in which `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text
            .strip_prefix(start)
            .is_some_and(|text| (0..=text.len()).filter(|i| text.is_char_boundary(*i)).any(|i| fits(rest, &text[i..]))),
    }
}
