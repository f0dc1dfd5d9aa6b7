//! `beni`: the command.
//!
//! - `options`: the command line; `script`: the source; `program`: setting up and running; `report`: the end of the
//!   process.

#![forbid(unsafe_code)]

mod facts;
mod options;
mod program;
mod report;
mod script;

use std::os::unix::ffi::OsStringExt;
use std::process::ExitCode;

use options::{Command, Refusal};

#[global_allocator]
static ALLOCATOR: host::memory::Allocator = host::memory::Allocator;

fn main() -> ExitCode {
    host::memory::limit_kept_memory();
    let mut arguments = std::env::args_os().map(OsStringExt::into_vec);
    let name = arguments.next().unwrap_or_default();
    let name = String::from_utf8_lossy(&name).into_owned();
    let arguments: Vec<Vec<u8>> = arguments.collect();
    if let Some(status) = subcommand(&arguments) {
        return status;
    }
    match options::parse(name.clone(), arguments) {
        Ok(command) => print_or_run(command),
        Err(refusal) => refused(&name, &refusal),
    }
}

/// `beni heap`, `beni inspect`; a script of that name in the current folder has precedence.
fn subcommand(arguments: &[Vec<u8>]) -> Option<ExitCode> {
    let name = std::str::from_utf8(arguments.first()?).ok()?;
    let run: fn(&[String]) -> ExitCode = match name {
        "heap" => profile::heap_command::run,
        "inspect" => profile::inspect_command::run,
        _ => return None,
    };
    if std::path::Path::new(name).is_file() {
        return None;
    }
    let rest: Vec<String> = arguments[1..].iter().map(|a| String::from_utf8_lossy(a).into_owned()).collect();
    Some(run(&rest))
}

/// Prints what was requested, or runs the program.
fn print_or_run(command: Command) -> ExitCode {
    let dumps = &command.dumps;
    if dumps.usage {
        host::show!("{}", options::help(&command.program, dumps.long_usage));
        return ExitCode::SUCCESS;
    }
    if dumps.version || dumps.version_first {
        host::show_line!("{}", core_classes::features::description());
    }
    if dumps.copyright && !dumps.version {
        host::show_line!("{}", core_classes::features::COPYRIGHT);
    }
    let has_nothing_to_run = command.lines.is_none() && !command.script_given;
    if dumps.version || dumps.copyright || (command.is_verbose && has_nothing_to_run) {
        return ExitCode::SUCCESS;
    }
    let program = command.program.clone();
    match script::read(command) {
        Ok((command, source)) => program::run(command, source),
        Err((subject, refusal)) => refused(&subject.unwrap_or(program), &refusal),
    }
}

fn refused(subject: &str, refusal: &Refusal) -> ExitCode {
    host::tell_line!("{subject}: {} ({})", refusal.message, refusal.class);
    ExitCode::FAILURE
}
