//! Messages of the command itself. A stream that is closed or full ends no program: `print!` of the standard library
//! would panic.

use std::{fmt::Arguments, io::Write};

/// Writes to standard error; what cannot be written is lost.
pub fn to_errors(text: Arguments) {
    let _ = std::io::stderr().write_fmt(text);
}

/// Writes to standard output; what cannot be written is lost.
pub fn to_output(text: Arguments) {
    let mut output = std::io::stdout();
    let _ = output.write_fmt(text).and_then(|()| output.flush());
}

/// A message on standard error, without a line break.
#[macro_export]
macro_rules! tell {
    ($($part:tt)*) => { $crate::tell::to_errors(format_args!($($part)*)) };
}

/// A line on standard error.
#[macro_export]
macro_rules! tell_line {
    ($($part:tt)*) => { $crate::tell::to_errors(format_args!("{}\n", format_args!($($part)*))) };
}

/// What the command was asked for, on standard output, without a line break.
#[macro_export]
macro_rules! show {
    ($($part:tt)*) => { $crate::tell::to_output(format_args!($($part)*)) };
}

/// A line of what the command was asked for, on standard output.
#[macro_export]
macro_rules! show_line {
    ($($part:tt)*) => { $crate::tell::to_output(format_args!("{}\n", format_args!($($part)*))) };
}
