//! Numbers as text: reading integers, floats, rationals and complex numbers, and writing floats.

use memory::Grow;

mod complex;
mod float;
mod float_text;
mod integer;
mod rational;

pub use complex::{ComplexText, NumberText, parse_complex, parse_complex_strict};
pub use float::{parse_float, parse_float_strict};
pub use float_text::{Decimal, Shortest, decimal, float_to_s, positional, shortest};
pub use integer::{IntegerError, IntegerText, parse_integer, parse_integer_strict};
pub use rational::{DecimalText, RationalText, parse_rational, parse_rational_strict, parse_short_rational};

/// Whether the byte is white space by C's isspace, which Ruby skips around numbers.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
}

/// The bytes without whitespace before them.
fn trim_start(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| !is_space(byte)).unwrap_or(bytes.len());
    &bytes[start..]
}

/// Digits with single underscores between them at the start of `bytes`: the digits, and the length read, which is 0 if
/// `bytes` does not start with a digit.
fn digits(bytes: &[u8], radix: u32) -> (Vec<u8>, usize) {
    let is_digit = |at: usize| bytes.get(at).is_some_and(|&byte| char::from(byte).is_digit(radix));
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        if is_digit(at) {
            found.append_one(bytes[at]);
            at += 1;
        } else if at > 0 && bytes.get(at) == Some(&b'_') && is_digit(at + 1) {
            at += 1;
        } else {
            return (found, at);
        }
    }
}
