//! Checks that links in documents lead to files, and that the index names all documents.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Findings, Rules};
use crate::source::SourceFile;
use crate::workspace;

pub fn check(_files: &[SourceFile], _rules: &Rules) -> Result<Findings, String> {
    let root = workspace::root();
    let documents = markdown_files(&root.join("docs"))?;
    let index = workspace::read(&root.join("docs/README.md"))?;
    let mut findings = Findings::default();
    for path in documents.iter().cloned().chain(markdown_files_beside(&root)?) {
        let text = workspace::read(&path)?;
        let folder = path.parent().unwrap_or(&root);
        for target in links(&text) {
            if !folder.join(target).exists() {
                findings.errors.push(format!("{}: the link to {target} leads nowhere", workspace::shown(&path)));
            }
        }
    }
    for path in documents {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name != "README.md" && !is_named(&index, name) {
            findings.listed.push(format!("{} is not in docs/README.md", workspace::shown(&path)));
        }
    }
    Ok(findings)
}

/// The index may name a family of documents: `dependencies-*.md`.
fn is_named(index: &str, name: &str) -> bool {
    let family = name.split_once('-').map(|(family, _)| format!("{family}-*.md"));
    index.contains(name) || family.is_some_and(|family| index.contains(&family))
}

/// The targets of links to files, without their anchors.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|after| after.split([')', '#', ' ']).next());
    // Code such as `a[1](b)` looks like a link, but its target does not look like a path.
    targets.filter(|target| target.contains(['.', '/']) && !target.contains("://") && !target.starts_with("mailto:"))
}

fn markdown_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = markdown_files_beside(folder)?;
    for entry in entries(folder)? {
        if entry.is_dir() {
            files.extend(markdown_files(&entry)?);
        }
    }
    files.sort();
    Ok(files)
}

fn markdown_files_beside(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let is_markdown = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    Ok(entries(folder)?.into_iter().filter(is_markdown).collect())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", workspace::shown(folder)))?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_files_are_followed() {
        let text = "[a](a.md), [b](../b.md#part), [c](https://example.org/c), [d](#d), `x[1](y)`";
        assert_eq!(links(text).collect::<Vec<_>>(), ["a.md", "../b.md"]);
    }

    #[test]
    fn the_index_may_name_a_family() {
        assert!(is_named("- `dependencies-*.md`: why", "dependencies-text.md"));
        assert!(!is_named("- `dependencies-*.md`: why", "heap.md"));
    }
}
