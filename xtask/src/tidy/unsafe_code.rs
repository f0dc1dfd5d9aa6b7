//! Only the crates that own memory or code contain unsafe code.
//!
//! Clippy checks that each unsafe block has a note and each unsafe function a section on safety
//! (`undocumented_unsafe_blocks`, `missing_safety_doc`). This lint checks that a note states a reason of its own.

use super::{Findings, Rules};
use crate::source::SourceFile;

pub fn check(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let allowed = rules.words("unsafe code", "allowed");
    let mut findings = Findings::default();
    for file in files {
        for (index, line) in file.text.lines().enumerate().filter(|(_, line)| is_empty_note(line)) {
            findings.errors.push(format!("{}:{} is no reason: {}", file.path, index + 1, line.trim()));
        }
    }
    for file in files.iter().filter(|file| is_crate_root(file)) {
        let name = file.krate.trim_start_matches("crates/");
        let forbids = forbids_unsafe_code(&file.syntax);
        if !forbids && !allowed.contains(&name) {
            findings.errors.push(format!("{} lacks #![forbid(unsafe_code)]", file.path));
        }
    }
    Ok(findings)
}

/// Whether it is a note on safety that only refers to another one, or to the caller.
fn is_empty_note(line: &str) -> bool {
    let Some(note) = line.trim_start().strip_prefix("// SAFETY: ") else { return false };
    ["as above", "as for", "see above", "the same", "the caller's."].iter().any(|start| note.starts_with(start))
}

fn is_crate_root(file: &SourceFile) -> bool {
    let inside = file.path.strip_prefix(&file.krate).unwrap_or(&file.path);
    matches!(inside, "/src/lib.rs" | "/src/main.rs")
}

fn forbids_unsafe_code(syntax: &syn::File) -> bool {
    syntax.attrs.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("forbid") => {
            list.tokens.to_string().split(',').any(|lint| lint.trim() == "unsafe_code")
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_that_points_elsewhere_is_no_reason() {
        assert!(is_empty_note("    // SAFETY: as above."));
        assert!(is_empty_note("// SAFETY: the caller's."));
        assert!(!is_empty_note("// SAFETY: the caller's scope is alive."));
        assert!(!is_empty_note("let safety = \"as above\";"));
    }

    #[test]
    fn the_attribute_is_seen_among_others() -> Result<(), syn::Error> {
        let with = syn::parse_file("#![forbid(missing_docs, unsafe_code)]\nfn a() {}")?;
        let without = syn::parse_file("#![deny(unsafe_op_in_unsafe_fn)]\nfn a() {}")?;
        assert!(forbids_unsafe_code(&with));
        assert!(!forbids_unsafe_code(&without));
        Ok(())
    }
}
