//! Checks that no code that users run is left unfinished.

use super::{Findings, Rules};
use crate::source::SourceFile;

/// Concatenated, so that this file does not match itself.
const MACROS: &[&str] = &[concat!("todo", "!("), concat!("unimplemented", "!(")];

pub fn check(files: &[SourceFile], _rules: &Rules) -> Result<Findings, String> {
    let mut findings = Findings::default();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if MACROS.iter().any(|name| code.contains(name)) {
                findings.errors.push(format!("{}:{}: {}", file.path, index + 1, line.trim()));
            }
        }
    }
    Ok(findings)
}
