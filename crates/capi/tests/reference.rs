//! Checks that `docs/c-api.md` matches the table of functions; `BENI_BLESS=1 cargo test -p beni-capi --test reference`
//! regenerates it.

#[path = "../table.rs"]
mod table;

use std::fmt::Write as _;
use std::path::Path;

use table::{Form, Table};

fn reference(table: &Table) -> String {
    let present = table.present().filter(|f| !f.name.starts_with("beni_")).count();
    let mut text = format!(
        "# The C interface\n\n*Reference.* The {present} functions that extensions can call; generated from \
         `crates/capi/functions.txt`. A function that\nis *plain* neither raises nor calls Ruby.\n"
    );
    let mut section = "";
    for f in table.present().filter(|f| !f.name.starts_with("beni_")) {
        if f.section != section {
            section = &f.section;
            write!(text, "\n## {section}\n\n").unwrap();
        }
        let note = match &f.form {
            Form::Plain | Form::Pure => " plain".to_string(),
            Form::Send(method) => format!(" calls `{method}`"),
            Form::On(constant, method) => format!(" calls `{constant}.{method}`"),
            Form::Rust | Form::C => String::new(),
        };
        writeln!(text, "- `{}`{note}", f.prototype()).unwrap();
    }
    text.push_str("\n## Missing\n\nExtensions that use one of these are refused when they are loaded.\n\n");
    for f in table.functions.iter().filter(|f| !f.present) {
        writeln!(text, "- `{}`", f.name).unwrap();
    }
    for (name, reason) in &table.missing {
        writeln!(text, "- `{name}`: {reason}").unwrap();
    }
    text
}

/// Whether a name is that of a row `missing`, in which `*` stands for anything.
fn fits(name: &str, row: &str) -> bool {
    let parts: Vec<&str> = row.split('*').collect();
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    if parts.len() == 1 {
        return name == row;
    }
    let Some(mut rest) = name.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else { return false };
    for part in &parts[1..parts.len() - 1] {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

/// All words in the headers.
fn words(folder: &Path, found: &mut std::collections::HashSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            words(&path, found);
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            let separates = |c: char| !c.is_ascii_alphanumeric() && c != '_';
            found.extend(text.split(separates).map(str::to_string));
        }
    }
}

/// `cruby-functions.txt` has the names that the public headers of CRuby 4.1dev declare.
#[test]
fn every_public_function_exists_or_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = Table::read(root);
    let mut known = table.present().map(|f| f.name.clone()).collect();
    words(&root.join("include"), &mut known);
    let names = std::fs::read_to_string(root.join("tests/cruby-functions.txt")).unwrap();
    let lacks = |name: &&str| !known.contains(*name) && !table.missing.iter().any(|(row, _)| fits(name, row));
    let lacking: Vec<&str> = names.split_whitespace().filter(lacks).collect();
    assert!(lacking.is_empty(), "neither declared nor listed as missing: {lacking:?}");
}

#[test]
fn the_document_lists_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = reference(&Table::read(root));
    let path = root.join("../../docs/c-api.md");
    if std::env::var_os("BENI_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == written, "docs/c-api.md is not what functions.txt says (BENI_BLESS=1 writes it)");
}
