//! Finds unused public items. The compiler warns only about private ones.

use std::{collections::HashMap, path::PathBuf};

use super::{Findings, Rules};
use crate::{source::SourceFile, workspace};

/// The qualifiers that may precede the keyword of an item.
const QUALIFIERS: &[&str] = &["const", "unsafe", "async", "extern", "\"C\""];
const ITEMS: &[&str] = &["fn", "const", "static", "struct", "enum", "union", "type", "trait", "mod"];

/// Compares words: an item counts as used if its name occurs anywhere else in the code of the workspace.
pub fn check(files: &[SourceFile], _rules: &Rules) -> Result<Findings, String> {
    let mut words: HashMap<&str, usize> = HashMap::new();
    for line in files.iter().flat_map(|file| file.text.lines()) {
        for word in code(line).split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            *words.entry(word).or_default() += 1;
        }
    }
    let table = c_interface()?;
    for word in table.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        *words.entry(word).or_default() += 1;
    }
    let mut findings = Findings::default();
    for file in files.iter().filter(|file| !file.is_test()) {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(name) = public_item(line)
                && words.get(name) == Some(&1)
            {
                findings.errors.push(format!("{}:{}: nothing refers to {name}", file.path, index + 1));
            }
        }
    }
    Ok(findings)
}

/// The text that names the functions of the C interface: its table and its C code.
fn c_interface() -> Result<String, String> {
    let folder = workspace::root().join("crates/capi");
    let read = |path: PathBuf| workspace::read(&path);
    let mut text = read(folder.join("functions.txt"))?;
    let quick: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(" quick")).collect();
    let names = quick.iter().filter_map(|line| line.split('(').next()?.rsplit([' ', '*']).next());
    text += &names.map(|name| format!("quick_{name}\n")).collect::<String>();
    for place in ["csrc", "include", "include/ruby"] {
        let entries = std::fs::read_dir(folder.join(place)).map_err(|e| format!("{place}: {e}"))?;
        for entry in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
            text += &read(entry)?;
        }
    }
    Ok(text)
}

fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// The name of the public item that begins on the line.
fn public_item(line: &str) -> Option<&str> {
    let mut words = code(line).trim_start().strip_prefix("pub ")?.split(' ');
    let mut item = words.next()?;
    let mut next = words.next()?;
    while !(ITEMS.contains(&item) && !ITEMS.contains(&next) && !QUALIFIERS.contains(&next)) {
        if !QUALIFIERS.contains(&item) {
            return None;
        }
        (item, next) = (next, words.next()?);
    }
    next.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::public_item;

    #[test]
    fn names_of_public_items() {
        let cases = [
            ("pub fn run(cx: &mut Cx) {", Some("run")),
            ("    pub const unsafe fn of<T>(v: T) -> T {", Some("of")),
            ("pub const LIMIT: usize = 1;", Some("LIMIT")),
            ("pub struct Cell(u64);", Some("Cell")),
            ("pub(crate) fn inner() {", None),
            ("pub use other::Thing;", None),
            ("    pub name: String,", None),
        ];
        for (line, name) in cases {
            assert_eq!(public_item(line), name, "{line}");
        }
    }
}
