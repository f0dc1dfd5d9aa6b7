//! Every Ruby file of a large corpus compiles to code that the verifier accepts, or is rejected with a message.

use std::path::{Path, PathBuf};

use compiler::{Options, SourceKind, compile};

fn ruby_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            ruby_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rb") {
            files.push(path);
        }
    }
}

#[test]
fn compiles_every_file_at_hand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let given = std::env::var_os("BENI_CORPUS").map(PathBuf::from);
    let folders = [Some(root.join("target/stdlib")), given];
    let mut files = Vec::new();
    folders.iter().flatten().for_each(|folder| ruby_files(folder, &mut files));
    let mut refused = Vec::new();
    for file in &files {
        let Ok(source) = std::fs::read(file) else { continue };
        match compile(&source, &Options::new(file.display().to_string(), SourceKind::Required)) {
            Ok(sequence) => {
                bytecode::verify::verify(&sequence).unwrap_or_else(|message| panic!("{}: {message}", file.display()))
            }
            Err(errors) => refused.push(format!("{}: {}", file.display(), String::from_utf8_lossy(&errors.message))),
        }
    }
    println!("{} files, {} refused\n{}", files.len(), refused.len(), refused.join("\n"));
}
