//! `--jit-perf-map`: writes the names of compiled code to the file where `perf` looks for them.

use std::{fs::OpenOptions, io::Write};

use runtime::code::Code;

/// Adds a line for machine code at an address. If the file cannot be written, `perf` shows no name; this is not an
/// error.
pub fn add(code: &Code, address: usize, bytes: usize) {
    let file = format!("/tmp/perf-{}.map", std::process::id());
    let line = format!("{address:x} {bytes:x} {} {}:{}\n", code.label(), code.source.path, code.first_line);
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(file) {
        let _ = file.write_all(line.as_bytes());
    }
}
