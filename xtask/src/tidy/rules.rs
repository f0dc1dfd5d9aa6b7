//! `xtask/tidy.txt`: the layers, the crates that may contain unsafe code and values, and every exception from a lint
//! with its reason.
//!
//! A line is `KEY: VALUE` below a `[section]`. An unused exception is an error, so that the list stays accurate.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::workspace;

const FILE: &str = "xtask/tidy.txt";

pub struct Rules {
    /// Section, then key, then value.
    sections: BTreeMap<String, BTreeMap<String, String>>,
    used: RefCell<BTreeSet<(String, String)>>,
}

impl Rules {
    pub fn read() -> Result<Rules, String> {
        Rules::parse(&workspace::read(&workspace::root().join(FILE))?)
    }

    pub(super) fn parse(text: &str) -> Result<Rules, String> {
        let mut sections: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let mut current = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let wrong = |what: &str| format!("{FILE}:{}: {what}", index + 1);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                current = Some(sections.entry(name.to_string()).or_default());
                continue;
            }
            let section = current.as_mut().ok_or_else(|| wrong("a line before any [section]"))?;
            let (key, value) = line.split_once(": ").ok_or_else(|| wrong("not of the form KEY: VALUE"))?;
            section.insert(key.trim().to_string(), value.trim().to_string());
        }
        Ok(Rules { sections, used: RefCell::default() })
    }

    /// The lines of a section that contains facts rather than exceptions.
    pub fn facts(&self, section: &str) -> impl Iterator<Item = (&str, &str)> {
        self.sections.get(section).into_iter().flatten().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The words of one fact.
    pub fn words(&self, section: &str, key: &str) -> Vec<&str> {
        let value = self.sections.get(section).and_then(|section| section.get(key));
        value.map(|value| value.split_whitespace().collect()).unwrap_or_default()
    }

    /// Whether `key` is excepted from the lint; the exception counts as used.
    pub fn excepts(&self, lint: &str, key: &str) -> bool {
        let excepted = self.sections.get(lint).is_some_and(|section| section.contains_key(key));
        if excepted {
            self.used.borrow_mut().insert((lint.to_string(), key.to_string()));
        }
        excepted
    }

    /// The unused exceptions of a lint.
    pub fn unused(&self, lint: &str) -> Vec<String> {
        if matches!(lint, "layers" | "unsafe code" | "allocations that abort") {
            return Vec::new();
        }
        let used = self.used.borrow();
        let keys = self.facts(lint).map(|(key, _)| key);
        keys.filter(|key| !used.contains(&(lint.to_string(), key.to_string())))
            .map(|key| format!("{FILE}: the exception for {key} is needed no more"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_found_by_lint_and_key() -> Result<(), String> {
        let rules = Rules::parse("# why\n[sizes of files]\na.rs: a table\nb.rs: another\n")?;
        assert!(rules.excepts("sizes of files", "a.rs"));
        assert!(!rules.excepts("sizes of functions", "a.rs"));
        assert_eq!(rules.unused("sizes of files").len(), 1);
        Ok(())
    }

    #[test]
    fn an_exception_without_a_reason_is_refused() {
        assert!(Rules::parse("[sizes of files]\na.rs\n").is_err());
    }
}
