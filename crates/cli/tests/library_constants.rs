//! Programs may have defined the constants of a built-in library differently before they load it: the library then
//! raises a TypeError that names the constant. Each constant of each library is tried, without the Ruby files of the
//! standard library.

use std::path::Path;
use std::process::Command;

#[test]
fn constants_that_are_no_classes_are_refused() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library_constants/defined_before.rb");
    let libraries = stdlib::FEATURES.iter().map(|(name, _)| *name);
    let output = Command::new(env!("CARGO_BIN_EXE_beni"))
        .env("BENI_STDLIB", "/nowhere")
        .arg(program)
        .args(libraries)
        .output()
        .unwrap();
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(printed, "0 bad of more than 300\n", "{errors}");
}
