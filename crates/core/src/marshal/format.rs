//! The bytes of the format.

use memory::Grow;

pub const MAJOR: u8 = 4;
pub const MINOR: u8 = 8;

pub const NIL: u8 = b'0';
pub const TRUE: u8 = b'T';
pub const FALSE: u8 = b'F';
pub const FIXNUM: u8 = b'i';
pub const SYMBOL: u8 = b':';
/// A reference to an earlier symbol, by number.
pub const SYMBOL_LINK: u8 = b';';
/// A reference to an earlier object, by number.
pub const LINK: u8 = b'@';
/// The object is followed by instance variables, and the encoding.
pub const VARIABLES: u8 = b'I';
/// A module that the singleton class includes.
pub const EXTENDED: u8 = b'e';
/// A String, Array, Hash or Regexp of a subclass.
pub const USER_CLASS: u8 = b'C';
pub const OBJECT: u8 = b'o';
/// An object with `_dump_data` and `_load_data`.
pub const DATA: u8 = b'd';
/// An object with `_dump`, whose class has `_load`.
pub const USER_DEFINED: u8 = b'u';
/// An object with `marshal_dump` and `marshal_load`.
pub const USER_MARSHAL: u8 = b'U';
pub const FLOAT: u8 = b'f';
pub const BIGNUM: u8 = b'l';
pub const STRING: u8 = b'"';
pub const REGEXP: u8 = b'/';
pub const ARRAY: u8 = b'[';
pub const HASH: u8 = b'{';
pub const HASH_WITH_DEFAULT: u8 = b'}';
pub const STRUCT: u8 = b'S';
/// A class or module in the format of Ruby 1.6.
pub const MODULE_OLD: u8 = b'M';
pub const CLASS: u8 = b'c';
pub const MODULE: u8 = b'm';

/// A 32-bit number in one to five bytes: small numbers are encoded around zero, others follow their number of bytes (a
/// negative count for negative numbers).
pub fn write_long(out: &mut Vec<u8>, n: i32) {
    match n {
        0 => out.append_one(0),
        1..=122 => out.append_one(n as u8 + 5),
        -123..=-1 => out.append_one((n - 5) as u8),
        _ => {
            let bytes = n.to_le_bytes();
            let filler = if n < 0 { 0xff } else { 0 };
            let count = bytes.iter().rposition(|b| *b != filler).map_or(1, |last| last + 1);
            out.append_one(if n < 0 { (count as u8).wrapping_neg() } else { count as u8 });
            out.append_slice(&bytes[..count]);
        }
    }
}

/// A float as text: the shortest digits that parse back to it.
pub fn float_text(f: f64) -> String {
    let sign = if f.is_sign_negative() { "-" } else { "" };
    if f.is_nan() {
        return "nan".into();
    }
    if f.is_infinite() {
        return format!("{sign}inf");
    }
    if f == 0.0 {
        return format!("{sign}0");
    }
    let decimal = text::number::decimal(f);
    let digits = memory::lossy_text(&decimal.digits);
    let (point, count) = (decimal.point, digits.len() as i32);
    if point < -3 || point > count {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{dot}{rest}e{}", point - 1);
    }
    if point > 0 {
        let (whole, fraction) = digits.split_at(point as usize);
        let dot = if fraction.is_empty() { "" } else { "." };
        return format!("{sign}{whole}{dot}{fraction}");
    }
    format!("{sign}0.{}{digits}", memory::repeated("0", -point as usize))
}

/// Parses the output of `float_text` and that of Ruby 1.8: a decimal, then a zero and the lower bits of the mantissa.
pub fn parse_float(bytes: &[u8]) -> f64 {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    match &bytes[..end] {
        b"nan" => return f64::NAN,
        b"inf" => return f64::INFINITY,
        b"-inf" => return f64::NEG_INFINITY,
        _ => {}
    }
    let value = text::number::parse_float(&bytes[..end]);
    let Some(mantissa) = bytes.get(end + 1..).filter(|rest| !rest.is_empty()) else { return value };
    add_mantissa(value, mantissa)
}

/// The bits of a double in the decimal text; the binary part has the remaining ones.
const DECIMAL_BITS: i32 = 53 - 16;

fn add_mantissa(value: f64, mantissa: &[u8]) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let (fraction, exponent) = numeric::float::frexp(value.abs());
    let mut sum = numeric::float::ldexp(fraction, DECIMAL_BITS).trunc();
    let mut place = 0;
    for chunk in mantissa.chunks(4) {
        let word = chunk.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
        place -= 8 * chunk.len() as i32;
        sum += numeric::float::ldexp(f64::from(word), place);
    }
    let sum = numeric::float::ldexp(sum, exponent - DECIMAL_BITS);
    if value < 0.0 { -sum } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (n, bytes) in [
            (0, &[0][..]),
            (122, &[127]),
            (123, &[1, 123]),
            (-123, &[0x80]),
            (-124, &[0xff, 0x84]),
            (256, &[2, 0, 1]),
            (-256, &[0xff, 0]),
            (-257, &[0xfe, 0xff, 0xfe]),
            (i32::MAX, &[4, 0xff, 0xff, 0xff, 0x7f]),
            (i32::MIN, &[0xfc, 0, 0, 0, 0x80]),
        ] {
            let mut out = Vec::new();
            write_long(&mut out, n);
            assert_eq!(out, bytes, "{n}");
        }
    }

    #[test]
    fn floats_are_short() {
        for (f, text) in [
            (1.5, "1.5"),
            (1e100, "1e100"),
            (1e-5, "1e-5"),
            (0.0001, "0.0001"),
            (100.0, "1e2"),
            (-0.0, "-0"),
            (1.25e20, "1.25e20"),
        ] {
            assert_eq!(float_text(f), text);
            assert_eq!(parse_float(text.as_bytes()), f);
        }
        assert_eq!(parse_float(b"8323434.3420000002\0S\xf8"), 8323434.342);
    }
}
