//! Lines have at most 120 columns, and none is a conflict marker that a merge left behind.
//!
//! The lint covers all tracked `.rs`, `.rb`, `.md`, `.toml` and `.sh` files, including comments, and strings of Rust,
//! which a backslash at the end of the line continues. Longer lines are allowed where they cannot or must not be
//! broken: rows of tables in `.md` files, lines outside of Rust with a string, regular expression or code span of more
//! than 60 columns, and test data: everything below a folder `tests` that is not Rust, and the inputs in
//! `spec/programs`.

use std::process::Command;

use super::{Findings, Rules};
use crate::source::SourceFile;
use crate::workspace;

const MOST_COLUMNS: usize = 120;
/// A line with a literal of more columns than this may be longer.
const LONG_LITERAL: usize = 60;
const EXTENSIONS: &[&str] = &["rs", "rb", "md", "toml", "sh"];

pub fn check(_files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let mut findings = Findings::default();
    for path in tracked()? {
        if is_test_data(&path) {
            continue;
        }
        // A tracked file may have been removed from the working tree.
        let Ok(text) = workspace::read(&workspace::root().join(&path)) else { continue };
        for (index, line) in text.lines().enumerate() {
            if is_conflict_marker(line) {
                findings.errors.push(format!("{path}:{} is a conflict marker", index + 1));
            }
            let columns = line.chars().count();
            let is_row = path.ends_with(".md") && line.starts_with('|');
            let has_literal = !path.ends_with(".rs") && longest_literal(line) > LONG_LITERAL;
            if columns <= MOST_COLUMNS || is_row || has_literal {
                continue;
            }
            if !rules.excepts("lines", &path) {
                findings.errors.push(format!("{path}:{} has {columns} columns", index + 1));
            }
        }
    }
    Ok(findings)
}

/// The paths of the tracked files that the lint covers, from the root.
fn tracked() -> Result<Vec<String>, String> {
    let mut command = Command::new("git");
    command.arg("ls-files").current_dir(workspace::root());
    let output = command.output().map_err(|error| workspace::could_not_start(&command, &error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let covered = |path: &&str| path.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension));
    Ok(text.lines().filter(covered).map(str::to_string).collect())
}

fn is_test_data(path: &str) -> bool {
    path.starts_with("spec/programs/") || path.contains("/tests/") && !path.ends_with(".rs")
}

/// Whether `git merge` wrote the line around a side of a conflict. The line between the sides is no sign of its own: it
/// may underline a heading.
fn is_conflict_marker(line: &str) -> bool {
    line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")
}

/// The columns of the longest piece between two equal delimiters of strings, regular expressions or code spans.
fn longest_literal(line: &str) -> usize {
    let mut longest = 0;
    for delimiter in ['"', '/', '`'] {
        let mut start = None;
        let mut escaped = false;
        for (column, char) in line.chars().enumerate() {
            if char == delimiter && !escaped {
                longest = start.map_or(longest, |start| longest.max(column - start));
                start = Some(column);
            }
            escaped = char == '\\' && !escaped;
        }
        // A string that continues on the next line.
        if line.ends_with('\\') {
            longest = start.map_or(longest, |start| longest.max(line.chars().count() - start));
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_measured_between_delimiters() {
        assert_eq!(longest_literal("f(\"abc\", \"a\\\"b\")"), 5);
        assert_eq!(longest_literal("x = /a+b/ and `code`"), 5);
        assert_eq!(longest_literal("no literal"), 0);
        assert_eq!(longest_literal("let a = \"ab \\"), 5);
    }

    #[test]
    fn conflict_markers_are_found() {
        assert!(is_conflict_marker("<<<<<<< HEAD"));
        assert!(is_conflict_marker(">>>>>>> main"));
        assert!(!is_conflict_marker("======="));
        assert!(!is_conflict_marker(">> 1"));
    }

    #[test]
    fn test_data_is_not_code() {
        assert!(is_test_data("crates/cli/tests/programs/a.rb"));
        assert!(is_test_data("spec/programs/readme.md"));
        assert!(!is_test_data("crates/cli/tests/command.rs"));
    }
}
