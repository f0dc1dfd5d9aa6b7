//! Checks that what depends on a program's data is allocated with `memory`'s functions, which fail with NoMemoryError,
//! and not with the standard library's, which abort.

use super::{Findings, Rules};
use crate::source::SourceFile;

/// The forbidden calls and what replaces them. Concatenated, so that this file does not match itself.
const CALLS: &[(&str, &str)] = &[
    (concat!(".to_", "vec()"), "to_vector"),
    (concat!("::to_", "vec)"), "to_vector"),
    (concat!("collect::<Vec", "<u8>>"), "memory::collect"),
    (concat!(".extend_", "from_slice("), "append_slice"),
    (concat!(".res", "ize("), "set_length"),
    (concat!("Vec::", "with_capacity("), "memory::with_capacity"),
    (concat!("\".rep", "eat("), "memory::repeated"),
    (concat!(").rep", "eat("), "memory::repeated, memory::concat"),
    (concat!("String::", "from_utf8_lossy("), "memory::lossy_text"),
];

pub fn check(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let mut findings = Findings::default();
    let crates = rules.words("allocations that abort", "crates");
    for file in files {
        let Some((name, path)) = file.path.strip_prefix("crates/").and_then(|path| path.split_once('/')) else {
            continue;
        };
        if !crates.contains(&name)
            || !path.starts_with("src/")
            || path.ends_with("tests.rs")
            || path.contains("/tests/")
        {
            continue;
        }
        let lines = file.text.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
        for (index, line) in lines {
            let code = line.split("//").next().unwrap_or_default();
            for (call, instead) in CALLS.iter().filter(|(call, _)| code.contains(call)) {
                findings.errors.push(format!("{}:{}: {call} aborts without memory: {instead}", file.path, index + 1));
            }
        }
    }
    Ok(findings)
}
