//! The tags: for each spec file a text file with a line for each example that is known to fail,
//! `REASON | DESCRIPTION`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::outcome::OUTSIDE;
use crate::workspace;

/// The beginning of the reason of a tag whose example depends on the environment, such as the network. Such an example
/// does not count for a floor, and its tag stays even when it passes.
const SURROUNDINGS: &str = "depends on ";

/// Whether a tag says that the result of its example depends on the environment.
pub fn depends_on_surroundings(reason: &str) -> bool {
    reason.starts_with(SURROUNDINGS)
}

/// The tags of one spec file: reasons by description.
pub type Tags = BTreeMap<String, String>;

fn folder() -> PathBuf {
    workspace::root().join("spec/tags")
}

fn tag_file(spec_file: &str) -> PathBuf {
    let name = spec_file.strip_suffix("_spec.rb").unwrap_or(spec_file);
    folder().join(format!("{name}.txt"))
}

pub fn read(spec_file: &str) -> Result<Tags, String> {
    let path = tag_file(spec_file);
    if !path.exists() {
        return Ok(Tags::new());
    }
    parse(&workspace::read(&path)?, &path)
}

fn parse(text: &str, path: &Path) -> Result<Tags, String> {
    let mut tags = Tags::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((reason, description)) = line.split_once(" | ") else {
            return Err(format!("{}:{}: not of the form REASON | DESCRIPTION", workspace::shown(path), index + 1));
        };
        tags.insert(description.trim().to_string(), reason.trim().to_string());
    }
    Ok(tags)
}

/// The examples that the newest CRuby fails, one `FILE | DESCRIPTION` per line: the suite belongs to an older Ruby.
const REFERENCE_FAILURES: &str = "spec/reference_failures.txt";
const REFERENCE_REASON: &str = "the newest CRuby fails it too";

/// Spec files and descriptions of examples that the newest CRuby fails.
pub type ReferenceFailures = BTreeSet<(String, String)>;

pub fn reference_failures() -> Result<ReferenceFailures, String> {
    let path = workspace::root().join(REFERENCE_FAILURES);
    if !path.exists() {
        return Ok(ReferenceFailures::new());
    }
    let text = workspace::read(&path)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines.filter_map(|line| line.split_once(" | ")).map(|(file, name)| (file.into(), name.into())).collect())
}

/// Replaces the records of the files that ran.
pub fn record_reference_failures<'a>(
    results: impl Iterator<Item = (&'a str, BTreeMap<String, String>)>,
) -> Result<(), String> {
    let mut recorded = reference_failures()?;
    for (file, failures) in results {
        recorded.retain(|(known, _)| known != file);
        let examples = failures.into_keys().filter(|name| name != OUTSIDE);
        recorded.extend(examples.map(|name| (file.to_string(), name)));
    }
    let mut text =
        "# Examples that the newest CRuby fails because they expect an older Ruby's behaviour.\n".to_string();
    text.extend(recorded.iter().map(|(file, name)| format!("{file} | {name}\n")));
    let path = workspace::root().join(REFERENCE_FAILURES);
    fs::write(&path, text).map_err(|error| format!("cannot write {REFERENCE_FAILURES}: {error}"))
}

/// Makes the tags of a file list the present failures. Existing reasons are kept, because a person may have written
/// them.
pub fn update(
    spec_file: &str,
    failures: &BTreeMap<String, String>,
    reference: &ReferenceFailures,
) -> Result<(), String> {
    let path = tag_file(spec_file);
    let old = read(spec_file)?;
    let mut failures = failures.clone();
    failures.extend(old.clone().into_iter().filter(|(_, reason)| depends_on_surroundings(reason)));
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", workspace::shown(&path));
    if failures.is_empty() {
        return if path.exists() { fs::remove_file(&path).map_err(failed) } else { Ok(()) };
    }
    let mut text = String::new();
    for (description, found) in &failures {
        let new = match found.as_str() {
            _ if reference.contains(&(spec_file.to_string(), description.clone())) => REFERENCE_REASON,
            "" => "fails",
            found => found,
        };
        let reason = old.get(description).map_or(new, String::as_str);
        text.push_str(&format!("{reason} | {description}\n"));
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::write(&path, text).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_may_hold_a_bar() -> Result<(), String> {
        let tags = parse("# a note\nraises an Error | Array#| takes one | two\n", Path::new("a.txt"))?;
        assert_eq!(tags.get("Array#| takes one | two").map(String::as_str), Some("raises an Error"));
        Ok(())
    }

    #[test]
    fn a_tag_without_a_reason_is_refused() {
        assert!(parse("Array#| takes one\n", Path::new("a.txt")).is_err());
    }
}
