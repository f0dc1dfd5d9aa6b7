//! %d %i %u %o %x %X %b %B.

use super::{FormatError, Spec, fill};
use memory::Grow;

/// The base in which the caller must pass the digits for a conversion.
pub fn radix(conversion: u8) -> u32 {
    match conversion {
        b'o' => 8,
        b'x' | b'X' => 16,
        b'b' | b'B' => 2,
        _ => 10,
    }
}

/// Appends an integer. `magnitude` has its digits in the base of `radix(conversion)`, lower case, without leading zeros
/// (zero is "0"). A negative number in a base other than ten is shown as a two's complement with infinitely many
/// leading digits (`..f01`), unless the flags ask for a sign.
pub fn format_integer(
    spec: &Spec,
    conversion: u8,
    negative: bool,
    magnitude: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let flags = spec.flags;
    let signed = radix(conversion) == 10 || flags.plus || flags.space;
    let dots = negative && !signed;
    let complemented = if dots { complement(radix(conversion), magnitude) } else { Vec::new() };
    let mut digits = if dots { &complemented[..] } else { magnitude };
    let sign: &[u8] = match (signed, negative, flags.plus, flags.space) {
        (true, true, ..) => b"-",
        (true, false, true, _) => b"+",
        (true, false, false, true) => b" ",
        _ => b"",
    };
    // Width and precision may become negative here, which means no padding.
    let mut width = spec.width.map_or(-1, |width| width as i64) - sign.len() as i64;
    let mut precision = spec.precision.map_or(-1, |precision| precision as i64);
    if dots {
        precision -= 2;
        width -= 2;
    }
    let zero = digits == b"0";
    let mut prefix: &[u8] = match conversion {
        b'o' if flags.sharp && !dots => b"0",
        b'x' if flags.sharp && !zero => b"0x",
        b'X' if flags.sharp && !zero => b"0X",
        b'b' if flags.sharp && !zero => b"0b",
        b'B' if flags.sharp && !zero => b"0B",
        _ => b"",
    };
    if prefix == b"0" {
        if zero {
            digits = b"";
            precision -= i64::from(spec.precision.is_some());
        } else if precision > digits.len() as i64 {
            prefix = b"";
        }
    }
    width -= prefix.len() as i64;
    let len = digits.len() as i64;
    if flags.zero && !flags.minus && spec.precision.is_none() {
        (precision, width) = (width, 0);
    } else {
        if precision < len {
            if prefix.is_empty() && precision == 0 && digits == b"0" {
                digits = b"";
            }
            precision = digits.len() as i64;
        }
        width -= precision;
    }
    let padding = width.max(0) as usize;
    if !flags.minus {
        fill(out, b' ', padding)?;
    }
    out.append_slice(sign);
    out.append_slice(prefix);
    if dots {
        out.append_slice(b"..");
    }
    let missing = (precision - digits.len() as i64).max(0) as usize;
    if dots {
        fill(out, top_digit(conversion), missing)?;
    } else if !flags.minus || spec.precision.is_some() {
        fill(out, b'0', missing)?;
    }
    let start = out.len();
    out.append_slice(digits);
    if conversion == b'X' {
        out[start..].make_ascii_uppercase();
    }
    if flags.minus { fill(out, b' ', padding) } else { Ok(()) }
}

/// The digit that repeats infinitely before a negative number.
fn top_digit(conversion: u8) -> u8 {
    match conversion {
        b'x' => b'f',
        b'X' => b'F',
        b'o' => b'7',
        _ => b'1',
    }
}

/// The two's complement of a negative number: one top digit, then digits that do not start with another.
fn complement(radix: u32, magnitude: &[u8]) -> Vec<u8> {
    let mut digits: Vec<u32> = std::iter::once(0)
        .chain(magnitude.iter().map(|&digit| char::from(digit).to_digit(radix).unwrap_or(0)))
        .map(|digit| radix - 1 - digit)
        .collect();
    for digit in digits.iter_mut().rev() {
        *digit += 1;
        if *digit < radix {
            break;
        }
        *digit = 0;
    }
    let skip = digits.windows(2).take_while(|pair| pair[0] == radix - 1 && pair[1] == radix - 1);
    let skip = skip.count();
    digits[skip..].iter().map(|&digit| char::from_digit(digit, radix).map_or(b'0', |char| char as u8)).collect()
}
