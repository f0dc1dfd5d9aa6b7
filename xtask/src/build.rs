//! `build`: the binary `beni`.

use std::path::PathBuf;

use crate::workspace::{self, BINARY_PACKAGE};
use crate::{Outcome, families};

pub fn main(arguments: &[String]) -> Outcome {
    let mut arguments = arguments.to_vec();
    let profile = workspace::take_option(&mut arguments, "--profile")?;
    workspace::expect_none(&arguments)?;
    let binary = beni(profile.as_deref().unwrap_or("release"))?;
    println!("{}", workspace::shown(&binary));
    Ok(true)
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
    // Cargo keeps the folder names of its first two profiles.
    let folder = if profile == "dev" { "debug" } else { profile };
    let binary = workspace::target().join(folder).join("beni");
    if cfg!(target_os = "linux") && profile != "dev" && !families::name_apart(&binary)? {
        return Err("could not give symbols to the instructions of the dispatch loop".to_string());
    }
    Ok(binary)
}
