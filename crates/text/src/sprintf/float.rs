//! %f %e %E %g %G %a %A.

use super::{FormatError, Spec, fill};
use crate::number::{Shortest, shortest};
use memory::Grow;

/// More digits than any float has; all further digits are zeros.
const ALL_DIGITS: usize = 1100;

/// A formatted number: the parts before and after the padding zeros.
struct Parts {
    prefix: &'static str,
    /// Digits, a point, an exponent; zeros beyond a float's digits are counted in `zeros` and precede `exponent`.
    digits: String,
    zeros: usize,
    exponent: String,
}

/// A Float as messages about Floats that are out of range show it: as `%.10g` does.
pub fn short_float(value: f64) -> String {
    let (mut out, spec) = (Vec::new(), Spec { precision: Some(10), ..Spec::default() });
    // Without memory for a few bytes the text is empty.
    let _ = format_float(&spec, b'g', value, &mut out);
    memory::lossy_text(&out)
}

/// Appends a float under one of `fgGeEaA`, with as many digits as requested. They are those of the exact value, rounded
/// half to even. As in CRuby, the float's shortest digits decide whether it is half-way: the float 2.675 is a little
/// less than this decimal, and becomes 2.68 with two digits after the point; 8.345 is a little more, and becomes 8.34.
pub fn format_float(spec: &Spec, conversion: u8, value: f64, out: &mut Vec<u8>) -> Result<(), FormatError> {
    let negative = value.is_sign_negative() && !value.is_nan();
    let sign = match (negative, spec.flags.plus, spec.flags.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    };
    if !value.is_finite() {
        let name = if value.is_nan() { "NaN" } else { "Inf" };
        let padding = spec.width.unwrap_or(0).saturating_sub(sign.len() + name.len());
        if !spec.flags.minus {
            fill(out, b' ', padding)?;
        }
        out.append_slice(sign.as_bytes());
        out.append_slice(name.as_bytes());
        return if spec.flags.minus { fill(out, b' ', padding) } else { Ok(()) };
    }
    let precision = spec.precision.unwrap_or(6);
    let parts = match conversion.to_ascii_lowercase() {
        b'f' => fixed(value.abs(), precision, spec.flags.sharp),
        b'e' => exponential(value.abs(), precision, spec.flags.sharp),
        b'g' => general(value.abs(), precision, spec.flags.sharp),
        _ => hexadecimal(value.abs(), spec.precision, spec.flags.sharp),
    };
    let start = out.len();
    pad(spec, sign, parts, out)?;
    if conversion.is_ascii_uppercase() {
        out[start..].make_ascii_uppercase();
    }
    Ok(())
}

fn pad(spec: &Spec, sign: &str, parts: Parts, out: &mut Vec<u8>) -> Result<(), FormatError> {
    let Parts { prefix, digits, zeros, exponent } = parts;
    let len = sign.len() + prefix.len() + digits.len() + zeros + exponent.len();
    let padding = spec.width.unwrap_or(0).saturating_sub(len);
    let (minus, zero) = (spec.flags.minus, spec.flags.zero);
    if !minus && !zero {
        fill(out, b' ', padding)?;
    }
    out.append_slice(sign.as_bytes());
    out.append_slice(prefix.as_bytes());
    if !minus && zero {
        fill(out, b'0', padding)?;
    }
    out.append_slice(digits.as_bytes());
    fill(out, b'0', zeros)?;
    out.append_slice(exponent.as_bytes());
    if minus { fill(out, b' ', padding) } else { Ok(()) }
}

fn fixed(value: f64, precision: usize, sharp: bool) -> Parts {
    let shown = precision.min(ALL_DIGITS);
    let mut digits = fixed_small(value, precision).unwrap_or_else(|| match halfway(value, |n| n + shown as i64) {
        Some((rounded, _)) => with_point(&format!("{rounded:0width$}", width = shown + 1), shown),
        None => format!("{value:.shown$}"),
    });
    if precision == 0 && sharp {
        digits.append_one('.');
    }
    Parts { prefix: "", digits, zeros: precision - shown, exponent: String::new() }
}

/// Digits with a point before the last `precision` of them.
fn with_point(digits: &str, precision: usize) -> String {
    let (before, after) = digits.split_at(digits.len() - precision);
    if precision > 0 { format!("{before}.{after}") } else { before.to_owned() }
}

/// If the shortest digits of `value` are half-way between two numbers with fewer digits: the even one of these numbers,
/// as a multiple of its last place, and the shortest digits. `kept` maps the position of the decimal point to the
/// number of digits (at least one) to round to.
fn halfway(value: f64, kept: impl FnOnce(i64) -> i64) -> Option<(u64, Shortest)> {
    let shortest = shortest(value);
    let (last, rest) = shortest.digits().split_last()?;
    if *last != b'5' || rest.is_empty() || rest.len() as i64 != kept(i64::from(shortest.point)) {
        return None;
    }
    let below = rest.iter().fold(0, |n, digit| 10 * n + u64::from(digit - b'0'));
    Some((below + (below & 1), shortest))
}

/// The largest precision for which a number of 53 bits times its power of ten fits 128 bits, with bits to spare.
const SMALL_PRECISION: usize = 18;

/// The digits of a number below two to the 64th with few digits after the point, exactly: the number scaled by a power
/// of ten is a multiple of a power of two, which is rounded half to even.
fn fixed_small(value: f64, precision: usize) -> Option<String> {
    const FRACTION_BITS: u32 = 52;
    if precision > SMALL_PRECISION {
        return None;
    }
    let bits = value.to_bits();
    let (fraction, power) = (bits & ((1 << FRACTION_BITS) - 1), (bits >> FRACTION_BITS) as i32);
    let (whole, power) = if power == 0 { (fraction, -1074) } else { (fraction | 1 << FRACTION_BITS, power - 1075) };
    let scaled = u128::from(whole) * 10_u128.pow(precision as u32);
    let rounded = match power {
        0..=10 => scaled << power,
        11.. => return None,
        ..-127 => 0,
        _ => {
            let (quotient, rest) = (scaled >> -power, scaled & ((1 << -power) - 1));
            let half = 1_u128 << (-power - 1);
            // The shortest digits differ from the exact value by less than its last bit, which the scaling has
            // multiplied by the power of ten.
            let is_near = rest.abs_diff(half) <= 10_u128.pow(precision as u32);
            match is_near.then(|| halfway(value, |n| n + precision as i64)).flatten() {
                Some((rounded, _)) => u128::from(rounded),
                None => quotient + u128::from(rest > half || rest == half && quotient & 1 == 1),
            }
        }
    };
    let mut rest = u64::try_from(rounded).ok()?;
    let mut digits = [b'0'; 24];
    let mut at = digits.len();
    let point = digits.len() - precision;
    while rest > 0 || at >= point {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let mut text = String::with_capacity(digits.len() + 1);
    let (before, after) = (&digits[at..point], &digits[point..]);
    text.append_from(before.iter().map(|digit| char::from(*digit)));
    if precision > 0 {
        text.append_one('.');
        text.append_from(after.iter().map(|digit| char::from(*digit)));
    }
    Some(text)
}

/// Up to this many digits the shortest ones decide how a float is rounded: they differ from it by less than half of the
/// last of these digits, and no number with fewer digits is between the two.
const DECIDED: usize = 15;

/// The digits of a float, rounded to a number of them, and the power of ten of the first one.
struct Rounded {
    digits: [u8; DECIDED],
    count: usize,
    power: i32,
    /// Whether the shortest digits are half-way between two of these numbers.
    is_halfway: bool,
}

impl Rounded {
    fn digits(&self) -> &[u8] {
        &self.digits[..self.count]
    }
}

/// `None` for more than [`DECIDED`] digits, and for floats with fewer bits than others.
fn rounded(value: f64, count: usize) -> Option<Rounded> {
    if !(1..=DECIDED).contains(&count) || value.is_subnormal() {
        return None;
    }
    let shortest = shortest(value);
    let (kept, rest) = shortest.digits().split_at(count.min(shortest.digits().len()));
    let mut digits = [b'0'; DECIDED];
    digits[..kept.len()].copy_from_slice(kept);
    let is_halfway = rest == b"5";
    let is_up = if is_halfway { kept.last().is_some_and(|last| last % 2 == 1) } else { rest.first() >= Some(&b'5') };
    let mut power = shortest.point - 1;
    if is_up {
        let nines = digits[..count].iter().rev().take_while(|digit| **digit == b'9').count();
        digits[count - nines..count].fill(b'0');
        match count.checked_sub(nines + 1) {
            Some(place) => digits[place] += 1,
            None => (digits[0], power) = (b'1', power + 1),
        }
    }
    Some(Rounded { digits, count, power: if value == 0.0 { 0 } else { power }, is_halfway })
}

fn exponential(value: f64, precision: usize, sharp: bool) -> Parts {
    let shown = precision.min(ALL_DIGITS);
    let (mut digits, power) = scientific(value, shown);
    if precision == 0 && sharp {
        digits.append_one('.');
    }
    Parts { prefix: "", digits, zeros: precision - shown, exponent: exponent_text(power) }
}

/// Digits with one before the point, and the power of ten.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    if let Some(rounded) = rounded(value, precision + 1) {
        return (pointed(rounded.digits(), 0), rounded.power);
    }
    if let Some((rounded, shortest)) = halfway(value, |_| precision as i64 + 1) {
        let digits = rounded.to_string();
        // The last digit is a zero if rounding made one more.
        let more = digits.len() as i32 - 1 - precision as i32;
        return (with_point(&digits[..=precision], precision), shortest.point - 1 + more);
    }
    let text = format!("{value:.precision$e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_owned(), power.parse().unwrap_or(0))
}

/// Digits of which the first has this power of ten, with zeros before it and a point as necessary.
fn pointed(digits: &[u8], power: i32) -> String {
    let zeros = usize::try_from(-power).unwrap_or(0);
    let mut text = String::with_capacity(digits.len() + zeros + 1);
    let whole = usize::try_from(power + 1).unwrap_or(0);
    text.append_from(std::iter::repeat_n('0', zeros.min(1)));
    for (place, digit) in digits.iter().enumerate() {
        if place == whole {
            text.append_one('.');
            text.append_from(std::iter::repeat_n('0', zeros.saturating_sub(1)));
        }
        text.append_one(char::from(*digit));
    }
    text
}

fn exponent_text(power: i32) -> String {
    let mut text = String::with_capacity(5);
    memory::append_text(&mut text, if power < 0 { "e-" } else { "e+" });
    let size = power.unsigned_abs();
    for place in [100, 10, 1] {
        if place < 100 || size >= 100 {
            text.append_one(char::from(b'0' + (size / place % 10) as u8));
        }
    }
    text
}

/// The shorter of the two forms, without trailing zeros unless requested.
fn general(value: f64, precision: usize, sharp: bool) -> Parts {
    let precision = precision.max(1);
    let shown = precision.min(ALL_DIGITS);
    let is_fixed = |power: i32| i64::from(power) < precision as i64 && power >= -4;
    let (mut parts, may_keep) = match rounded(value, shown) {
        Some(rounded) => {
            let is_fixed = is_fixed(rounded.power);
            let exponent = if is_fixed { String::new() } else { exponent_text(rounded.power) };
            let mut digits = pointed(rounded.digits(), if is_fixed { rounded.power } else { 0 });
            if sharp && !digits.contains('.') {
                digits.append_one('.');
            }
            (Parts { prefix: "", digits, zeros: 0, exponent }, rounded.is_halfway)
        }
        None => {
            let (_, power) = scientific(value, shown - 1);
            let parts = if is_fixed(power) {
                fixed(value, (precision as i64 - 1 - i64::from(power)) as usize, sharp)
            } else {
                exponential(value, precision - 1, sharp)
            };
            (parts, true)
        }
    };
    if !sharp {
        parts.zeros = 0;
        if parts.digits.contains('.') && parts.digits.ends_with('0') && !(may_keep && keeps_zeros(value, shown)) {
            let kept = parts.digits.trim_end_matches('0').trim_end_matches('.').len();
            parts.digits.truncate(kept);
        }
    }
    parts
}

/// Whether %g keeps zeros at the end, as in CRuby: if the shortest digits are half-way and rounded down, but the exact
/// value is more.
fn keeps_zeros(value: f64, shown: usize) -> bool {
    halfway(value, |_| shown as i64).is_some_and(|(rounded, _)| {
        let exact = format!("{value:.*e}", shown - 1);
        let digits = exact.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit);
        digits.fold(0, |n, digit| 10 * n + u64::from(digit - b'0')) > rounded
    })
}

fn hexadecimal(value: f64, precision: Option<usize>, sharp: bool) -> Parts {
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let (mut fraction, mut power) = (bits & ((1 << FRACTION_BITS) - 1), (bits >> 52) as i32 - 1023);
    let mut lead = 1u64;
    if value == 0.0 {
        (lead, power) = (0, 0);
    } else if power == -1023 {
        // A subnormal number is shown normalized.
        let shift = fraction.leading_zeros() - 11;
        fraction = fraction << shift & ((1 << FRACTION_BITS) - 1);
        power = -1022 - shift as i32;
    }
    if let Some(kept @ 0..=12) = precision {
        let drop = FRACTION_BITS - 4 * kept as u32;
        let whole = lead << FRACTION_BITS | fraction;
        let (quotient, rest) = (whole >> drop, whole & ((1 << drop) - 1));
        let half = 1u64 << (drop - 1);
        let up = rest > half || rest == half && quotient & 1 == 1;
        let rounded = (quotient + u64::from(up)) << drop;
        lead = rounded >> FRACTION_BITS;
        fraction = rounded & ((1 << FRACTION_BITS) - 1);
        if lead == 2 {
            (lead, power) = (1, power + 1);
        }
    }
    let mut digits = format!("{fraction:013x}");
    let mut zeros = 0;
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) => {
            digits.truncate(precision.min(13));
            zeros = precision.saturating_sub(13);
        }
    }
    let point = if digits.is_empty() && zeros == 0 && !sharp { "" } else { "." };
    let sign = if power < 0 { '-' } else { '+' };
    Parts {
        prefix: "0x",
        digits: format!("{lead:x}{point}{digits}"),
        zeros,
        exponent: format!("p{sign}{}", power.abs()),
    }
}

/// Appends an Integer or Rational under %f, exactly. If `scaled`, `digits` are those of the absolute value times ten to
/// the power of the precision (6 by default), rounded half up; otherwise those of an Integer itself.
pub fn format_fixed(
    spec: &Spec,
    negative: bool,
    digits: &[u8],
    scaled: bool,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let precision = spec.precision.unwrap_or(6);
    let sign: &[u8] = match (negative, spec.flags.plus, spec.flags.space) {
        (true, ..) => b"-",
        (_, true, _) => b"+",
        (_, _, true) => b" ",
        _ => b"",
    };
    let (whole, fraction): (&[u8], &[u8]) = match digits.len().checked_sub(precision) {
        _ if !scaled => (digits, b""),
        Some(at @ 1..) => digits.split_at(at),
        _ => (b"0", digits),
    };
    let zeros = precision - fraction.len();
    let point = usize::from(precision > 0);
    let len = sign.len() + whole.len() + point + precision;
    let padding = spec.width.unwrap_or(0).saturating_sub(len);
    let (minus, zero) = (spec.flags.minus, spec.flags.zero);
    if !minus && !zero {
        fill(out, b' ', padding)?;
    }
    out.append_slice(sign);
    if !minus && zero {
        fill(out, b'0', padding)?;
    }
    out.append_slice(whole);
    out.append_slice(&b"."[..point]);
    fill(out, b'0', zeros)?;
    out.append_slice(fraction);
    if minus { fill(out, b' ', padding) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Recorded from CRuby 4.1dev.
    #[test]
    fn values_half_way_by_their_shortest_digits_round_to_even() {
        let rounded = [
            (2.675, 2, "2.68"),
            (8.345, 2, "8.34"),
            (0.35, 1, "0.4"),
            (1.005, 2, "1.00"),
            (0.5, 0, "0"),
            (0.05, 1, "0.1"),
        ];
        let far = [(0.1, 20, "0.10000000000000000555"), (2.5e-19, 19, "0.0000000000000000002"), (9.995, 2, "10.00")];
        for (value, precision, text) in rounded.into_iter().chain(far) {
            assert_eq!(fixed(value, precision, false).digits, text);
        }
        let both = |value, precision| {
            let parts = exponential(value, precision, false);
            parts.digits + &parts.exponent
        };
        assert_eq!(
            (both(9.95, 1), both(2.675, 2), both(12.25, 2)),
            ("1.0e+01".into(), "2.68e+00".into(), "1.22e+01".into())
        );
        let texts = [(9.9996, 3, "1.000e+01"), (1e300, 0, "1e+300"), (5e-324, 3, "4.941e-324"), (0.0, 2, "0.00e+00")];
        for (value, precision, text) in texts {
            assert_eq!(both(value, precision), text);
        }
        let texts = [(1234.5678, "1234.57"), (0.00012, "0.00012"), (999_999.5, "1e+06"), (100.0, "100"), (0.0, "0")];
        for (value, text) in texts {
            let parts = general(value, 6, false);
            assert_eq!(parts.digits + &parts.exponent, text);
        }
        assert_eq!((general(2.675, 3, false).digits, general(1.05, 2, false).digits), ("2.68".into(), "1.0".into()));
    }
}
