//! Orders the functions of the release binary: what runs at every start lies together.
//!
//! The kernel maps a page of a file with the fifteen around it. Start-up runs some 450 of Beni's functions; where the
//! linker leaves them, they lie all over the binary and draw in nearly three quarters of it.
//! `cargo xtask startup-order` writes the list.

use std::env;
use std::path::Path;

fn main() {
    let list = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("startup.order");
    println!("cargo::rerun-if-changed={}", list.display());
    // Rust links with its own LLD there; other linkers have other names for this.
    if env::var("TARGET").unwrap() == "x86_64-unknown-linux-gnu" && env::var("PROFILE").unwrap() == "release" {
        println!("cargo::rustc-link-arg-bins=-Wl,--symbol-ordering-file={}", list.display());
        // The names hold hashes of the compiler's: what another version calls otherwise keeps its place.
        println!("cargo::rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
    }
}
