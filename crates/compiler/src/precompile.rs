//! For build scripts: compiles the Ruby halves of a crate's classes to images, so that nothing is compiled at startup.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Options, SourceKind};

/// Compiles every `.rb` file under the crate's `src` to an image at the same relative path under `OUT_DIR`
/// (`array/array.rb` to `array/array.image`), which `runtime::ruby_half!` includes. Only for build scripts.
///
/// # Panics
/// If a file cannot be read, compiled or written: the build fails with that message.
pub fn ruby_halves() {
    let source = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs this")).join("src");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo runs this"));
    println!("cargo::rerun-if-changed={}", source.display());
    folder(&source, &out);
}

fn folder(source: &Path, out: &Path) {
    let entries = fs::read_dir(source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    for entry in entries {
        let path = entry.expect("an entry of a folder that can be read").path();
        let name = path.file_name().expect("an entry has a name");
        if path.is_dir() {
            folder(&path, &out.join(name));
        } else if path.extension().is_some_and(|e| e == "rb") {
            fs::create_dir_all(out).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
            let image = out.join(name).with_extension("image");
            fs::write(&image, compile(&path)).unwrap_or_else(|error| panic!("{}: {error}", image.display()));
        }
    }
}

fn compile(path: &Path) -> Vec<u8> {
    let source = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.file_stem().expect("a Ruby file has a name").to_string_lossy();
    let of_core = std::env::var_os("CARGO_PKG_NAME").is_some_and(|name| name == "beni-core");
    let options = Options { of_core, ..Options::new(format!("<internal:{name}>"), SourceKind::Required) };
    let mut sequence = match crate::compile(&source, &options) {
        Ok(sequence) => sequence,
        Err(errors) => panic!("{}: {}", path.display(), memory::lossy_text(&errors.message)),
    };
    if let Some(unit) = &mut sequence.unit {
        unit.source = Vec::new();
    }
    bytecode::image::encode_deferred(&sequence)
}
