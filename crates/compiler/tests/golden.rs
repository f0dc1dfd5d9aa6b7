//! Sources with the expected bytecode; `BENI_BLESS=1 cargo test -p beni-compiler --test golden` records the actual
//! output.

use std::path::Path;

use compiler::{Options, SourceKind, compile};

/// Divides source and dump in a file.
const DIVIDER: &str = "\n#### bytecode ####\n";

fn dump(source: &str) -> String {
    match compile(source.as_bytes(), &Options::new("golden.rb", SourceKind::Main)) {
        Ok(sequence) => {
            bytecode::verify::verify(&sequence).unwrap_or_else(|message| panic!("{message}"));
            bytecode::disassemble::disassemble(&sequence)
        }
        Err(errors) => String::from_utf8_lossy(&errors.message).into_owned(),
    }
}

#[test]
fn bytecode_is_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var_os("BENI_BLESS").is_some();
    let mut different = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of golden files").flatten() {
        let path = entry.path();
        let text = std::fs::read_to_string(&path).expect("a golden file");
        let (source, expected) = text.split_once(DIVIDER).unwrap_or((&text, ""));
        let actual = dump(source);
        count += 1;
        if bless {
            std::fs::write(&path, format!("{}{DIVIDER}{actual}", source)).expect("a writable golden file");
        } else if actual != expected {
            different.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(count > 0, "no golden files");
    assert!(different.is_empty(), "changed (BENI_BLESS=1 records):\n{}", different.join("\n"));
}
