//! Methods with the graphs into which the compiler translates them. `BENI_BLESS=1 cargo test -p beni-cli --test
//! compiler golden` records the actual graphs.
//!
//! The first line of a source names the code whose graph is shown: `# shows NAME`. It is called as a Method object,
//! because such calls are not inlined. Addresses and the numbers of shapes and symbols are replaced by `@` because they
//! vary.

use std::{
    path::Path,
    process::{Command, Stdio},
};

/// Divides source and graph in a file.
const DIVIDER: &str = "\n#### graph ####\n";

#[test]
fn graphs_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiler/golden");
    let bless = std::env::var_os("BENI_BLESS").is_some();
    let (mut different, mut count) = (Vec::new(), 0);
    for entry in std::fs::read_dir(&folder).unwrap().flatten() {
        let path = entry.path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (source, expected) = text.split_once(DIVIDER).unwrap_or((&text, ""));
        let actual = graph(source);
        count += 1;
        if bless {
            std::fs::write(&path, format!("{}{DIVIDER}{actual}", source.trim_end())).unwrap();
        } else if actual != expected {
            different.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(count > 0, "no golden files");
    assert!(different.is_empty(), "changed (BENI_BLESS=1 records):\n{}", different.join("\n"));
}

/// The last graph of the code that the first line of a source names.
fn graph(source: &str) -> String {
    let name = source.lines().next().and_then(|line| line.strip_prefix("# shows ")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
    command.args(["--jit-threshold=40", &format!("--dump-jit=ir:{name}"), "-e", source]);
    let output = command.env_remove("RUBYOPT").stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stderr).unwrap();
    let last = text.split("== ").last().filter(|graph| !graph.is_empty());
    last.unwrap_or_else(|| panic!("{name} was not compiled by itself"))
        .lines()
        .skip(1)
        .map(|line| without_addresses(line) + "\n")
        .collect()
}

/// The line with `@` in place of large constants and of offsets within the context.
fn without_addresses(line: &str) -> String {
    let of_context = |word: &str| word.starts_with('+') && line.contains(&format!("{word} context"));
    let is_address = |word: &str| {
        let bits = word.trim_end_matches(',').strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        bits.is_some_and(|bits| (0x100..1 << 47).contains(&bits))
    };
    let words = line.split(' ').map(|word| match word {
        word if of_context(word) => "+@".to_owned(),
        word if is_address(word) => if word.ends_with(',') { "@," } else { "@" }.to_owned(),
        word => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}
