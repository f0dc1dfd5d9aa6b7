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
    if let Some(made) = short(value.abs()) {
        return made;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value.abs()).as_bytes();
    let (mantissa, exponent) = match text.iter().position(|byte| *byte == b'e') {
        Some(at) => (&text[..at], std::str::from_utf8(&text[at + 1..]).ok().and_then(|text| text.parse().ok())),
        None => (text, None),
    };
    let whole = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa.len());
    let fraction = mantissa.get(whole + 1..).unwrap_or_default();
    let mut bytes = [b'0'; MOST_DIGITS];
    bytes[..whole].copy_from_slice(&mantissa[..whole]);
    bytes[whole..whole + fraction.len()].copy_from_slice(fraction);
    let last = bytes.iter().rposition(|byte| *byte != b'0').map_or(0, |at| at + 1);
    let first = bytes.iter().position(|byte| *byte != b'0').unwrap_or(0);
    if last == 0 {
        return Shortest { bytes, length: 1, point: 1 };
    }
    bytes.copy_within(first..last, 0);
    Shortest { bytes, length: (last - first) as u8, point: whole as i32 - first as i32 + exponent.unwrap_or(0) }
}

/// The shortest digits of a number with at most three digits behind the point: decimals of up to fifteen digits round
/// to different floats, so the one that rounds to `value` is the shortest.
#[inline]
fn short(value: f64) -> Option<Shortest> {
    const DIGITS: usize = 15;
    if !(1e-3..1e12).contains(&value) {
        return None;
    }
    let mut rest = thousandths(value)?;
    let mut point = DIGITS as i32 - 3;
    let mut length = DIGITS;
    // Zeros at the end are no digits of the text.
    while rest.is_multiple_of(10) {
        rest /= 10;
        length -= 1;
    }
    let count = rest.ilog10() as usize + 1;
    point -= (length - count) as i32;
    let mut bytes = [b'0'; MOST_DIGITS];
    for digit in bytes[..count].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    Some(Shortest { bytes, length: count as u8, point })
}

/// The number of thousandths, at least one, if the shortest digits of a number below 1e12 have at most three behind the
/// point.
#[inline]
fn thousandths(value: f64) -> Option<u64> {
    let scaled = value * 1e3;
    let count = (scaled + 0.5) as u64;
    // For most other numbers this tells it without a division.
    let is_near = (scaled - count as f64).abs() <= scaled * (2.0 * f64::EPSILON);
    (is_near && count > 0 && count as f64 / 1e3 == value).then_some(count)
}

/// Calls `put` with a number of thousandths below 1e15 as a decimal.
#[inline]
fn put_thousandths(is_negative: bool, thousandths: u64, put: impl FnOnce(&[u8])) {
    let mut bytes = [0; MOST_DIGITS];
    let (mut whole, fraction) = (thousandths / 1000, thousandths % 1000);
    // The text ends behind the third place of the fraction, or before zeros there.
    let point = MOST_DIGITS - 4;
    bytes[point] = b'.';
    for (place, divisor) in [100, 10, 1].into_iter().enumerate() {
        bytes[point + 1 + place] = b'0' + (fraction / divisor % 10) as u8;
    }
    let places = if fraction % 100 == 0 { 1 } else { 3 - usize::from(fraction % 10 == 0) };
    let mut at = point;
    while whole >= 10 {
        at -= 1;
        bytes[at] = b'0' + (whole % 10) as u8;
        whole /= 10;
    }
    at -= 1;
    bytes[at] = b'0' + whole as u8;
    if is_negative {
        at -= 1;
        bytes[at] = b'-';
    }
    put(&bytes[at..point + 1 + places]);
}

/// Calls `put` with the shortest digits, sign and point, if that needs no exponent: for numbers of a middling size.
/// False for others.
#[inline]
pub fn positional(value: f64, put: impl FnOnce(&[u8])) -> bool {
    if !(1e-5..1e10).contains(&value.abs()) {
        return false;
    }
    if let Some(thousandths) = thousandths(value.abs()) {
        put_thousandths(value < 0.0, thousandths, put);
        return true;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    let is_plain = !text.contains(&b'e');
    if is_plain {
        put(text);
    }
    is_plain
}

/// The result of [`shortest`] as a [`Decimal`], which owns its digits.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_decimals_keep_their_digits() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (number, places) = (state >> 14, (state >> 8) % 5);
            let value = (number % 10u64.pow((state % 13) as u32 + 1)) as f64 / 10f64.powi(places as i32);
            let expected: Vec<u8> =
                format!("{value:e}").bytes().take_while(|b| *b != b'e').filter(|b| *b != b'.').collect();
            assert_eq!(shortest(value).digits(), expected, "{value}");
            assert_eq!(float_to_s(value).parse(), Ok(value));
        }
    }

    #[test]
    fn positional_numbers_follow_to_s() {
        let shown = |value: f64| {
            let mut shown = None;
            positional(value, |text| shown = Some(String::from_utf8(text.to_vec()).unwrap()));
            shown
        };
        let mut state = 5u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (number, places) = (state >> 14, (state >> 8) % 6);
            let value = (number % 10u64.pow((state % 10) as u32 + 1)) as f64 / 10f64.powi(places as i32);
            let values = [value, -value, f64::from_bits(value.to_bits() + 1), value + 0.1, number as f64 / 1e13];
            for value in values.into_iter().filter(|value| (1e-4..1e10).contains(&value.abs())) {
                assert_eq!(shown(value), Some(float_to_s(value)));
            }
        }
        let texts = [0.001, -0.25, 1.5, 100.0, 123.456, 9_999_999_999.0, 1e10, 1e-9, 1e-4].map(shown);
        let expected = ["0.001", "-0.25", "1.5", "100.0", "123.456", "9999999999.0", "", "", "0.0001"];
        assert_eq!(texts.map(Option::unwrap_or_default), expected);
    }

    #[test]
    fn points_and_exponents_follow_to_s() {
        let shown =
            [0.001, 0.0001, 1.5, 100.0, 123.456, 999_999_999_999.999, 1e15, 1e16, 1.1e-7, 0.1 + 0.2].map(float_to_s);
        let expected = [
            "0.001", "0.0001", "1.5", "100.0", "123.456", "999999999999.999", "1.0e+15", "1.0e+16", "1.1e-07",
            "0.30000000000000004",
        ];
        assert_eq!(shown, expected);
    }
}
