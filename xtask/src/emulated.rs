//! `emulated`: the tests of the compiler and the programs of `crates/cli/tests/programs/` for aarch64, in the emulator
//! `qemu-aarch64`.
//!
//! Children of a program do not run in the emulator: a program whose output differs without the compiler, too, is
//! skipped. (docs/jit.md has the packages that are needed.)

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::test::{self, Tally};
use crate::{Outcome, build, limited, stdlib, workspace};

const TARGET: &str = "aarch64-unknown-linux-gnu";
/// The emulator takes half a minute to map the heap's address space if it does not reserve a part for the program.
const EMULATOR: [&str; 5] = ["qemu-aarch64", "-R", "0x400000000", "-L", "/usr/aarch64-linux-gnu"];
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// How the programs are compiled.
const MODES: [&[&str]; 2] = [&["--jit-threshold=1"], &["--jit-threshold=3", "--jit-exit-every=5"]];

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let profile = workspace::take_option(&mut arguments, "--profile")?.unwrap_or_else(|| "quick".to_string());
    let mut programs: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if programs.is_empty() {
        programs = workspace::ruby_files(&workspace::root().join("crates/cli/tests/programs"))?;
        programs.sort();
        if !units(&profile)? {
            return Err(format!("the tests of the compiler fail on {TARGET}"));
        }
    }
    stdlib::ensure()?;
    let beni = build::beni_for(TARGET, &profile)?;
    let (mut total, mut skipped) = (Tally::default(), 0);
    for program in &programs {
        let expected = fs::read(program.with_extension("out"));
        let expected = expected.map_err(|error| format!("{}: {error}", program.display()))?;
        let wrong = MODES.iter().find_map(|mode| match prints(&beni, mode, program, &expected) {
            Ok(true) => None,
            Ok(false) => Some(Ok(mode)),
            Err(error) => Some(Err(error)),
        });
        match wrong.transpose()? {
            None => total.passed += 1,
            Some(_) if !prints(&beni, &["--jit=off"], program, &expected)? => skipped += 1,
            Some(mode) => {
                total.failed += 1;
                test::failure(&format!("{} with {} prints something else", workspace::shown(program), mode.join(" ")));
            }
        }
    }
    println!("emulated: {} passed, {} failed, {skipped} skipped", total.passed, total.failed);
    Ok(total.failed == 0)
}

/// Do the unit tests of the compiler pass?
fn units(profile: &str) -> Result<bool, String> {
    let mut command = workspace::cargo();
    command.args(["test", "--package", "beni-jit", "--lib", "--profile", profile]);
    build::for_target(&mut command, TARGET);
    let runner = format!("CARGO_TARGET_{}_RUNNER", TARGET.to_uppercase().replace('-', "_"));
    workspace::succeeds(command.env(runner, EMULATOR.join(" ")))
}

/// Does a program print what it must?
fn prints(beni: &Path, options: &[&str], program: &Path, expected: &[u8]) -> Result<bool, String> {
    let mut command = Command::new(EMULATOR[0]);
    command.args(&EMULATOR[1..]).arg(beni).args(options).arg("-W0").arg(program);
    command.current_dir(workspace::root().join("crates/cli"));
    Ok(limited::output(&mut command, TIME_LIMIT)?.stdout == expected)
}
