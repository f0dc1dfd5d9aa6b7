//! `build`: the binary `beni`. With `--target TRIPLE` it is built for another processor, and copied to
//! `target/PROFILE-TRIPLE/beni`: there it finds its library.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::workspace::{self, BINARY_PACKAGE};
use crate::{Outcome, families};

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let profile = workspace::take_option(&mut arguments, "--profile")?;
    let target = workspace::take_option(&mut arguments, "--target")?;
    workspace::expect_none(&arguments)?;
    let profile = profile.as_deref().unwrap_or("release");
    let binary = match target {
        Some(target) => beni_for(&target, profile)?,
        None => beni(profile)?,
    };
    println!("{}", workspace::shown(&binary));
    Ok(true)
}

/// Makes cargo build for a target. C compilers and linkers for other processors are found by Debian's names for them,
/// unless the environment names others.
pub fn for_target(command: &mut Command, target: &str) {
    command.args(["--target", target]);
    let variable = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
    if std::env::var_os(&variable).is_none() {
        command.env(variable, format!("{}-gcc", target.replace("-unknown", "")));
    }
}

/// Builds `beni` for a target.
pub fn beni_for(target: &str, profile: &str) -> Result<PathBuf, String> {
    let mut command = workspace::cargo();
    command.args(["build", "--package", BINARY_PACKAGE, "--bin", "beni", "--profile", profile]);
    for_target(&mut command, target);
    if !workspace::succeeds(&mut command)? {
        return Err(format!("beni does not build for {target}"));
    }
    let folder = workspace::target().join(format!("{profile}-{target}"));
    let built = workspace::target().join(target).join(folder_of(profile)).join("beni");
    let binary = folder.join("beni");
    let copied = fs::create_dir_all(&folder).and_then(|()| fs::copy(&built, &binary));
    copied.map_err(|error| format!("{}: {error}", workspace::shown(&built)))?;
    Ok(binary)
}

/// Cargo keeps the folder names of its first two profiles.
fn folder_of(profile: &str) -> &str {
    if profile == "dev" { "debug" } else { profile }
}

/// Builds `beni` under a cargo profile and returns its path.
pub fn beni(profile: &str) -> Result<PathBuf, String> {
    if !workspace::has_crate("cli") {
        return Err("there is no crates/cli in this checkout, so no beni to build".to_string());
    }
    let mut command = workspace::cargo();
    command.args(["build", "--package", BINARY_PACKAGE, "--bin", "beni", "--profile", profile]);
    if !workspace::succeeds(&mut command)? {
        return Err("beni does not build".to_string());
    }
    let binary = workspace::target().join(folder_of(profile)).join("beni");
    if cfg!(target_os = "linux") && profile != "dev" && !families::name_apart(&binary)? {
        return Err("could not give symbols to the instructions of the dispatch loop".to_string());
    }
    Ok(binary)
}
