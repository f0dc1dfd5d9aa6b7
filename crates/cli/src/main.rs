//! `beni`: the command.

#![forbid(unsafe_code)]

mod options;
mod program;
mod report;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<Vec<u8>> = std::env::args_os().skip(1).map(std::os::unix::ffi::OsStringExt::into_vec).collect();
    match options::parse(arguments) {
        Ok(options::Request::Run(command)) => program::run(*command),
        Ok(options::Request::Print(text)) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("beni: {message} (RuntimeError)");
            ExitCode::from(1)
        }
    }
}
