//! The tags: for each spec file a text file with a line for each example that is known to fail,
//! `REASON | DESCRIPTION`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace;

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

/// Makes the tags of a file name what fails now. A reason that is there already stays: a person
/// may have written it.
pub fn update(spec_file: &str, failures: &BTreeMap<String, String>) -> Result<(), String> {
    let path = tag_file(spec_file);
    let old = read(spec_file)?;
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", workspace::shown(&path));
    if failures.is_empty() {
        return if path.exists() { fs::remove_file(&path).map_err(failed) } else { Ok(()) };
    }
    let mut text = String::new();
    for (description, reason) in failures {
        let reason = old.get(description).unwrap_or(reason);
        let reason = if reason.is_empty() { "fails" } else { reason };
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
