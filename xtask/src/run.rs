//! `run`: runs a Ruby program with a release build of Beni.

use std::process::Command;

use crate::Outcome;
use crate::{build, stdlib, workspace};

pub fn main(arguments: &[String]) -> Outcome {
    if arguments.is_empty() {
        return Err("usage: cargo xtask run FILE [ARGS]".to_string());
    }
    let binary = build::beni("release")?;
    if let Err(error) = stdlib::ensure() {
        eprintln!("warning: the program runs without the standard library: {error}");
    }
    // In the current folder, not the root: FILE is relative to it.
    let mut command = Command::new(binary);
    command.args(arguments);
    let status = command.status().map_err(|error| workspace::could_not_start(&command, &error))?;
    match status.code() {
        Some(code) => std::process::exit(code),
        None => Err(format!("the program was ended by {status}")),
    }
}
