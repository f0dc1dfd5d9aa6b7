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
