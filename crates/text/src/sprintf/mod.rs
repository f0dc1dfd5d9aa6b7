//! Kernel#format: parsing the format, and writing values that the caller has converted.

use memory::Grow;

mod error;
mod float;
mod integer;
mod parse;
mod text;

pub use error::FormatError;
pub use float::{format_fixed, format_float, short_float};
pub use integer::{format_integer, radix};
pub use parse::{Argument, Count, Directive, Flags, Parser, Piece, Spec};
pub use text::{format_char, format_text};

/// Appends `byte` `count` times; an error if memory is exhausted.
fn fill(out: &mut Vec<u8>, byte: u8, count: usize) -> Result<(), FormatError> {
    out.try_reserve(count).map_err(|_| FormatError::NoMemory)?;
    out.set_length(out.len() + count, byte);
    Ok(())
}
