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
    // On this target Rust links with its own LLD; other linkers have other names for these options.
    if env::var("TARGET").unwrap() != "x86_64-unknown-linux-gnu" {
        return;
    }
    if has_relative_relocations() {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if env::var("PROFILE").unwrap() == "release" {
        println!("cargo::rustc-link-arg-bins=-Wl,--symbol-ordering-file={}", list.display());
        // The names contain hashes of the compiler: functions that are missing keep their default place.
        println!("cargo::rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
    }
}

/// Does the C library read the short form of relative relocations? They are nearly all of the binary's relocations, and
/// the dynamic linker reads them at each start: 40,000 of 24 bytes each, in the short form 12 KB.
#[cfg(target_env = "gnu")]
fn has_relative_relocations() -> bool {
    unsafe extern "C" {
        fn gnu_get_libc_version() -> *const std::ffi::c_char;
    }
    // SAFETY: the function returns a static string.
    let version = unsafe { std::ffi::CStr::from_ptr(gnu_get_libc_version()) }.to_string_lossy();
    let (major, minor) = version.split_once('.').unwrap_or_default();
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    env::var("HOST") == env::var("TARGET") && (number(major), number(minor)) >= (2, 36)
}

#[cfg(not(target_env = "gnu"))]
fn has_relative_relocations() -> bool {
    false
}
