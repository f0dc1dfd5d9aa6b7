//! The Rust files of the workspace, read and parsed once for all lints.

use std::path::{Path, PathBuf};

use crate::workspace;

/// One Rust source file.
pub struct SourceFile {
    /// The folder of its crate, `crates/text` or `xtask`.
    pub krate: String,
    /// Its path from the root, with `/`.
    pub path: String,
    pub text: String,
    pub syntax: syn::File,
}

impl SourceFile {
    pub fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    /// Whether the whole file is test code.
    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }
}

/// All Rust files below `crates/` and `xtask/`, in the order of their paths.
pub fn all() -> Result<Vec<SourceFile>, String> {
    let root = workspace::root();
    let mut files = Vec::new();
    for krate in crates()? {
        let mut paths = Vec::new();
        collect(&root.join(&krate), &mut paths)?;
        paths.sort();
        for path in paths {
            let text = workspace::read(&path)?;
            let shown = workspace::shown(&path);
            let syntax =
                syn::parse_file(&text).map_err(|error| format!("{shown}:{}: {error}", error.span().start().line))?;
            files.push(SourceFile { krate: krate.clone(), path: shown, text, syntax });
        }
    }
    Ok(files)
}

/// The folders of all crates of the workspace.
pub fn crates() -> Result<Vec<String>, String> {
    let folder = workspace::root().join("crates");
    let mut crates = vec!["xtask".to_string()];
    if folder.is_dir() {
        for entry in entries(&folder)? {
            if entry.join("Cargo.toml").is_file() {
                crates.push(workspace::shown(&entry));
            }
        }
    }
    crates.sort();
    Ok(crates)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in entries(folder)? {
        if entry.is_dir() {
            if !entry.ends_with("target") {
                collect(&entry, paths)?;
            }
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            paths.push(entry);
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("cannot read {}: {error}", workspace::shown(folder));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    Ok(entries)
}
