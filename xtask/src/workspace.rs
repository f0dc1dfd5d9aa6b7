//! Paths of the checkout, and starting other programs in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package of the binary `beni`.
pub const BINARY_PACKAGE: &str = "beni-cli";

/// The root of the checkout in which `cargo xtask` was called. It may differ from the one this binary was built in if a
/// target folder was copied.
pub fn root() -> PathBuf {
    let manifest = match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")),
    };
    manifest.parent().map_or_else(|| manifest.clone(), Path::to_path_buf)
}

/// Cargo's target directory; everything fetched or built goes below it.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Whether the crate `crates/NAME` exists.
pub fn has_crate(name: &str) -> bool {
    root().join("crates").join(name).join("Cargo.toml").is_file()
}

/// A `cargo` command in the root, the cargo that started this process if there is one.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command and returns whether it succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool, String> {
    let status = command.status().map_err(|error| could_not_start(command, &error))?;
    Ok(status.success())
}

/// The message for a program that could not be started.
pub fn could_not_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start {}: {error}", command.get_program().display())
}

/// A path for messages: relative to the root if it is below it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Reads a text file, naming it in the error.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", shown(path)))
}

/// The Ruby files of a folder, sorted.
pub fn ruby_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", shown(folder)))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rb"));
    files.sort();
    Ok(files)
}

/// The names in a text file of the checkout: one per line, without comments and empty lines.
pub fn names(file: &str) -> Result<Vec<String>, String> {
    let text = read(&root().join(file))?;
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(names.map(str::to_string).collect())
}

/// Removes `--name VALUE` or `--name=VALUE` from the arguments.
pub fn take_option(arguments: &mut Vec<String>, name: &str) -> Result<Option<String>, String> {
    let with_equals = format!("{name}=");
    let Some(at) = arguments.iter().position(|argument| argument == name || argument.starts_with(&with_equals)) else {
        return Ok(None);
    };
    let argument = arguments.remove(at);
    if let Some(value) = argument.strip_prefix(&with_equals) {
        return Ok(Some(value.to_string()));
    }
    if at < arguments.len() { Ok(Some(arguments.remove(at))) } else { Err(format!("{name} needs a value")) }
}

/// Removes a switch from the arguments and returns whether it was there.
pub fn take_switch(arguments: &mut Vec<String>, name: &str) -> bool {
    let before = arguments.len();
    arguments.retain(|argument| argument != name);
    arguments.len() != before
}

/// Rejects remaining arguments.
pub fn expect_none(arguments: &[String]) -> Result<(), String> {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => Err(format!("unknown argument {argument}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn options_are_taken_in_both_spellings() {
        let mut arguments = strings(&["a", "--jobs", "3", "--profile=quick"]);
        assert_eq!(take_option(&mut arguments, "--jobs"), Ok(Some("3".to_string())));
        assert_eq!(take_option(&mut arguments, "--profile"), Ok(Some("quick".to_string())));
        assert_eq!(arguments, ["a"]);
    }

    #[test]
    fn an_option_without_its_value_is_refused() {
        assert!(take_option(&mut strings(&["--jobs"]), "--jobs").is_err());
    }
}
