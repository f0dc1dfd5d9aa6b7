//! Counts by folder or by file in text files of `spec/`: the floor of passing examples per folder, and the number of
//! examples per file.

use std::collections::BTreeMap;
use std::fs;

use crate::workspace;

pub type Counts = BTreeMap<String, usize>;

/// Passing examples per folder; they may only rise.
pub const FLOOR: &str = "spec/floor.txt";
/// The number of examples per spec file, recorded from the reference implementation. It reveals files that fail to load
/// or die halfway.
pub const EXAMPLES: &str = "spec/examples.txt";

pub fn read(file: &str) -> Result<Counts, String> {
    let path = workspace::root().join(file);
    if !path.exists() {
        return Ok(Counts::new());
    }
    let mut counts = Counts::new();
    for line in workspace::read(&path)?.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let count = line.rsplit_once(' ').and_then(|(name, count)| Some((name.trim(), count.parse().ok()?)));
        let (name, count) = count.ok_or_else(|| format!("{file}: not of the form NAME COUNT: {line}"))?;
        counts.insert(name.to_string(), count);
    }
    Ok(counts)
}

/// Writes the counts after the comment at the top of the file.
pub fn write(file: &str, counts: &Counts) -> Result<(), String> {
    let path = workspace::root().join(file);
    let old = fs::read_to_string(&path).unwrap_or_default();
    let mut text: String =
        old.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    for (name, count) in counts {
        text.push_str(&format!("{name} {count}\n"));
    }
    fs::write(&path, text).map_err(|error| format!("cannot write {file}: {error}"))
}

/// The folder that a spec file counts for: `language`, but `core/array`.
pub fn folder_of(spec_file: &str) -> &str {
    let depth = if spec_file.starts_with("core/") || spec_file.starts_with("library/") { 2 } else { 1 };
    match spec_file.match_indices('/').nth(depth - 1).or_else(|| spec_file.match_indices('/').next_back()) {
        Some((at, _)) => &spec_file[..at],
        None => spec_file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_and_library_are_counted_by_class() {
        assert_eq!(folder_of("language/regexp/anchors_spec.rb"), "language");
        assert_eq!(folder_of("core/array/pack/a_spec.rb"), "core/array");
        assert_eq!(folder_of("library/set_spec.rb"), "library");
    }
}
