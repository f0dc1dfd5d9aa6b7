//! Floats as shortest decimal text: Float#to_s.

use memory::{Grow, ToVector};
use std::fmt::Write;

/// A positive finite float as decimal digits: 0.d₁d₂d₃… × 10^`point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// ASCII digits, the first and last of them not zero (for 0.0 a single zero).
    pub digits: Vec<u8>,
    /// The position of the decimal point, counted from before the first digit.
    pub point: i32,
}

/// The shortest digits of a float, without a buffer on the heap: 0.d₁d₂d₃… × 10^`point`.
pub struct Shortest {
    bytes: [u8; MOST_DIGITS],
    length: u8,
    pub point: i32,
}

/// Shortest digits are at most seventeen; a float printed without an exponent may have zeros before them.
const MOST_DIGITS: usize = 24;

impl Shortest {
    /// ASCII digits, the first and last of them not zero (for 0.0 a single zero).
    pub fn digits(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// The fewest digits that parse back to the absolute value of `value`, which must be finite.
pub fn shortest(value: f64) -> Shortest {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value.abs()).as_bytes();
    let mut made = Shortest { bytes: [b'0'; MOST_DIGITS], length: 0, point: 0 };
    let (mut count, mut last, mut whole, mut in_fraction, mut exponent) = (0, 0, 0, false, 0);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'.' => in_fraction = true,
            b'0'..=b'9' => {
                // Zeros before the first digit count for the position of the point only.
                let leading = count == 0 && byte == b'0';
                if !in_fraction && !leading {
                    whole += 1;
                } else if in_fraction && leading {
                    whole -= 1;
                }
                if !leading && count < MOST_DIGITS {
                    made.bytes[count] = byte;
                    count += 1;
                    if byte != b'0' {
                        last = count;
                    }
                }
            }
            _ => {
                exponent = std::str::from_utf8(&text[at + 1..]).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
                break;
            }
        }
    }
    if last == 0 {
        return Shortest { length: 1, point: 1, ..made };
    }
    Shortest { length: last as u8, point: whole + exponent, ..made }
}

/// The same as a [`Decimal`], which owns its digits.
pub fn decimal(value: f64) -> Decimal {
    let shortest = shortest(value);
    Decimal { digits: shortest.digits().to_vector(), point: shortest.point }
}

/// `Float#to_s`.
pub fn float_to_s(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let negative = value.is_sign_negative();
    if value.is_infinite() {
        return if negative { "-Infinity" } else { "Infinity" }.to_owned();
    }
    let shortest = shortest(value);
    let (digits, point) = (std::str::from_utf8(shortest.digits()).unwrap_or(""), shortest.point);
    let count = digits.len() as i32;
    let mut out = String::with_capacity(MOST_DIGITS + 4);
    if negative {
        out.append_one('-');
    }
    match point {
        1.. if point < count => {
            let (whole, fraction) = digits.split_at(point as usize);
            out.push_str(whole);
            out.append_one('.');
            out.push_str(fraction);
        }
        1..=15 => {
            out.push_str(digits);
            out.append_from(std::iter::repeat_n('0', (point - count) as usize));
            out.push_str(".0");
        }
        -3..=0 => {
            out.push_str("0.");
            out.append_from(std::iter::repeat_n('0', -point as usize));
            out.push_str(digits);
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            out.push_str(first);
            out.append_one('.');
            out.push_str(if rest.is_empty() { "0" } else { rest });
            let exponent = point - 1;
            let sign = if exponent < 0 { '-' } else { '+' };
            let _ = write!(out, "e{sign}{:02}", exponent.abs());
        }
    }
    out
}
