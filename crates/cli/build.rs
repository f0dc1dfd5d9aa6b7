//! Orders the functions of the release binary: those that run at every startup are adjacent, and those that many
//! programs run follow them.
//!
//! The kernel maps pages of a file in groups of sixteen. Startup runs some 500 of Beni's functions; without this order
//! they are spread over the binary and map nearly three quarters of it. `cargo xtask startup-order` writes the list.

use std::env;
use std::path::Path;

fn main() {
    // Extensions in C find these functions in the executable.
    let exports = env::var("DEP_BENI_CAPI_EXPORTS").unwrap();
    println!("cargo::rustc-link-arg-bins=-Wl,--dynamic-list={exports}");
    let list = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("startup.order");
    println!("cargo::rerun-if-changed={}", list.display());
    // On this target Rust links with its own LLD; other linkers have other names for this option.
    if env::var("TARGET").unwrap() == "x86_64-unknown-linux-gnu" && env::var("PROFILE").unwrap() == "release" {
        println!("cargo::rustc-link-arg-bins=-Wl,--symbol-ordering-file={}", list.display());
        // The names contain hashes of the compiler: functions that are missing keep their default place.
        println!("cargo::rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
    }
}
