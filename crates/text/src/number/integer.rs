//! Integers: Integer("…"), String#to_i, String#hex, String#oct.

use super::{digits, is_space, trim_start};
use memory::ToVector;

/// An integer as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntegerText {
    /// Fits 64 bits.
    Small(i64),
    /// Does not fit: ASCII digits of the radix, without leading zeros or underscores.
    Big {
        /// Whether it has a minus sign.
        negative: bool,
        /// 2 to 36.
        radix: u32,
        /// Most significant first, letters of either case.
        digits: Vec<u8>,
    },
}

/// The reason why there is no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerError {
    /// ArgumentError "invalid radix %d".
    InvalidRadix,
    /// ArgumentError "invalid value for Integer(): %p".
    Invalid,
}

/// `Integer(text, base)`: the whole text must be an integer. Base 0 is determined by the prefix (decimal without one);
/// base -n is determined by the prefix and defaults to n.
pub fn parse_integer_strict(text: &[u8], base: i64) -> Result<IntegerText, IntegerError> {
    let (found, rest) = parse(text, base)?;
    let found = found.ok_or(IntegerError::Invalid)?;
    if rest.iter().all(|&byte| is_space(byte)) { Ok(found) } else { Err(IntegerError::Invalid) }
}

/// `String#to_i(base)`: the integer that the text starts with, else 0. The only error is `InvalidRadix`.
/// `hex` is base 16, `oct` is base -8.
pub fn parse_integer(text: &[u8], base: i64) -> Result<IntegerText, IntegerError> {
    Ok(parse(text, base)?.0.unwrap_or(IntegerText::Small(0)))
}

/// The usual case: a sign and a few decimal digits, not followed by an underscore.
fn parse_short(text: &[u8]) -> Option<(i64, &[u8])> {
    let (digits, negative) = match text {
        [b'-', digits @ ..] => (digits, true),
        digits => (digits, false),
    };
    let len = digits.iter().take(19).take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=18).contains(&len) || digits.get(len) == Some(&b'_') {
        return None;
    }
    let number = digits[..len].iter().fold(0, |number, byte| number * 10 + i64::from(byte - b'0'));
    Some((if negative { -number } else { number }, &digits[len..]))
}

fn parse(text: &[u8], base: i64) -> Result<(Option<IntegerText>, &[u8]), IntegerError> {
    // A leading zero may indicate another base.
    let decimal = base == 10 || (base == 0 && !matches!(text, [b'0', _, ..] | [b'-', b'0', _, ..]));
    if decimal && let Some((number, rest)) = parse_short(text) {
        let prefixed = number == 0 && matches!(rest.first(), Some(b'd' | b'D'));
        if !prefixed {
            return Ok((Some(IntegerText::Small(number)), rest));
        }
    }
    let mut rest = trim_start(text);
    let negative = rest.first() == Some(&b'-');
    if matches!(rest.first(), Some(b'+' | b'-')) {
        rest = &rest[1..];
    }
    if rest.is_empty() && !text.is_empty() {
        return Ok((None, rest));
    }
    let (radix, prefix) = radix(rest, base)?;
    rest = &rest[prefix..];
    let (digits, len) = digits(rest, radix);
    if len == 0 {
        return Ok((None, rest));
    }
    Ok((Some(value(negative, radix, &digits)), &rest[len..]))
}

/// The radix, and the length of the prefix.
fn radix(text: &[u8], base: i64) -> Result<(u32, usize), IntegerError> {
    let prefix = match text {
        [b'0', letter, ..] => match letter.to_ascii_lowercase() {
            b'x' => Some((16, 2)),
            b'b' => Some((2, 2)),
            b'o' => Some((8, 2)),
            b'd' => Some((10, 2)),
            _ => Some((8, 0)),
        },
        _ => None,
    };
    let (radix, len) = match (base, prefix) {
        (..=0, Some(found)) => found,
        (0 | -1, None) => (10, 0),
        (..=-2, None) => (base.checked_neg().ok_or(IntegerError::InvalidRadix)?, 0),
        (_, Some((radix, len))) if radix == base => (radix, len),
        _ => (base, 0),
    };
    match u32::try_from(radix) {
        Ok(radix @ 2..=36) => Ok((radix, len)),
        _ => Err(IntegerError::InvalidRadix),
    }
}

fn value(negative: bool, radix: u32, digits: &[u8]) -> IntegerText {
    let significant = match digits.iter().position(|&digit| digit != b'0') {
        Some(start) => &digits[start..],
        None => return IntegerText::Small(0),
    };
    let mut small = 0i64;
    for &byte in significant {
        let digit = i64::from(char::from(byte).to_digit(radix).unwrap_or(0));
        let signed = if negative { -digit } else { digit };
        match small.checked_mul(i64::from(radix)).and_then(|value| value.checked_add(signed)) {
            Some(next) => small = next,
            None => {
                return IntegerText::Big { negative, radix, digits: significant.to_vector() };
            }
        }
    }
    IntegerText::Small(small)
}
