//! Floats: Float("…") and String#to_f.

use super::{digits, is_space, trim_start};
use memory::Grow;

/// `Float(text)`: the whole text must be a float; `None` is ArgumentError "invalid value for Float(): %p" (or "string
/// for Float contains null byte" if it has a zero byte).
pub fn parse_float_strict(text: &[u8]) -> Option<f64> {
    let text = trim_start(text);
    let (unsigned, negative) = split_sign(text);
    let (value, rest) = match unsigned {
        [b'0', b'x' | b'X', hex @ ..] => parse_hex(hex)?,
        _ => parse_decimal(unsigned)?,
    };
    rest.iter().all(|&byte| is_space(byte)).then_some(if negative { -value } else { value })
}

/// `String#to_f`: the decimal float that the text starts with, else 0.0.
pub fn parse_float(text: &[u8]) -> f64 {
    let text = trim_start(text);
    let (unsigned, negative) = split_sign(text);
    let found = match unsigned {
        // Ruby checks for the prefix before the sign.
        [b'0', b'x' | b'X', ..] if unsigned.len() == text.len() => None,
        [b'0', b'x' | b'X', hex @ ..] => parse_hex(hex),
        _ => parse_decimal(unsigned),
    };
    match found {
        Some((value, _)) if negative => -value,
        Some((value, _)) => value,
        None => 0.0,
    }
}

fn split_sign(text: &[u8]) -> (&[u8], bool) {
    match text {
        [b'-', rest @ ..] => (rest, true),
        [b'+', rest @ ..] => (rest, false),
        _ => (text, false),
    }
}

/// Numbers like `12.5` with so few digits that one division of exact numbers gives the nearest Float.
fn parse_short(text: &[u8]) -> Option<(f64, &[u8])> {
    const POWERS: [f64; 16] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let count = |text: &[u8]| text.iter().take(16).take_while(|byte| byte.is_ascii_digit()).count();
    let whole = count(text);
    let [b'.', fraction @ ..] = &text[whole..] else { return None };
    let places = count(fraction);
    let rest = &fraction[places..];
    if whole == 0 || places == 0 || whole + places > 15 || matches!(rest.first(), Some(b'_' | b'e' | b'E')) {
        return None;
    }
    let digits = text[..whole].iter().chain(&fraction[..places]);
    let number = digits.fold(0u64, |number, byte| number * 10 + u64::from(byte - b'0'));
    Some((number as f64 / POWERS[places], rest))
}

/// The length of a number with digits before its point and without underscores.
fn plain_length(text: &[u8]) -> Option<usize> {
    let end_of_digits = |from: usize| from + text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = end_of_digits(0);
    if end == 0 {
        return None;
    }
    if text.get(end) == Some(&b'.') {
        end = end_of_digits(end + 1);
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let from = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let last = end_of_digits(from.min(text.len()));
        end = if last > from { last } else { end };
    }
    (text.get(end) != Some(&b'_')).then_some(end)
}

/// A short text that is only a number, with underscores between digits, which are left out of a copy.
fn parse_underscored(text: &[u8]) -> Option<(f64, &[u8])> {
    const MOST: usize = 64;
    if !text.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut copy = [0; MOST];
    let mut length = 0;
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    for (at, byte) in text.iter().enumerate() {
        if *byte != b'_' {
            *copy.get_mut(length)? = *byte;
            length += 1;
        } else if at == 0 || !is_digit(at - 1) || !is_digit(at + 1) {
            return None;
        }
    }
    let literal = &copy[..length];
    let end = &text[text.len()..];
    if let Some((number, [])) = parse_short(literal) {
        return Some((number, end));
    }
    plain_length(literal).filter(|plain| *plain == length)?;
    Some((std::str::from_utf8(literal).ok()?.parse().ok()?, end))
}

/// Digits, a point with or without digits after it, an exponent.
fn parse_decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    if let Some(found) = parse_short(text) {
        return Some(found);
    }
    if let Some(length) = plain_length(text) {
        let (literal, rest) = text.split_at(length);
        return Some((std::str::from_utf8(literal).ok()?.parse().ok()?, rest));
    }
    if let Some(found) = parse_underscored(text) {
        return Some(found);
    }
    let (mut literal, len) = digits(text, 10);
    let mut rest = &text[len..];
    if let [b'.', fraction @ ..] = rest {
        let (found, fraction_len) = digits(fraction, 10);
        if len > 0 || fraction_len > 0 {
            // A point directly before an underscore is not part of the number.
            literal.append_one(b'.');
            literal.extend(found);
            rest = &fraction[fraction_len..];
        }
    }
    if literal.is_empty() {
        return None;
    }
    if let Some((exponent, after)) = exponent(rest, b'e') {
        literal.append_one(b'e');
        literal.extend(exponent);
        rest = after;
    }
    // Digits, a point and an exponent always parse.
    let value = std::str::from_utf8(&literal).ok()?.parse().ok()?;
    Some((value, rest))
}

/// A sign and digits after the letter.
fn exponent(text: &[u8], letter: u8) -> Option<(Vec<u8>, &[u8])> {
    let [first, rest @ ..] = text else { return None };
    if first.to_ascii_lowercase() != letter {
        return None;
    }
    let (unsigned, negative) = split_sign(rest);
    let (found, len) = digits(unsigned, 10);
    if len == 0 {
        return None;
    }
    let mut exponent = if negative { vec![b'-'] } else { Vec::new() };
    exponent.extend(found);
    Some((exponent, &unsigned[len..]))
}

/// What follows `0x`: hex digits, optionally a point with digits and a binary exponent.
fn parse_hex(text: &[u8]) -> Option<(f64, &[u8])> {
    let (mut hex, len) = digits(text, 16);
    let mut rest = &text[len..];
    let mut scale = 0i64;
    if let [b'.', fraction @ ..] = rest {
        let (found, fraction_len) = digits(fraction, 16);
        if len == 0 && fraction_len == 0 {
            return None;
        }
        scale -= 4 * found.len() as i64;
        hex.extend(found);
        rest = &fraction[fraction_len..];
    }
    if hex.is_empty() {
        return None;
    }
    if let Some((digits, after)) = exponent(rest, b'p') {
        let text = std::str::from_utf8(&digits).ok()?;
        let limit = if text.starts_with('-') { -1_000_000 } else { 1_000_000 };
        scale = scale.saturating_add(text.parse().unwrap_or(limit).clamp(-1_000_000, 1_000_000));
        rest = after;
    }
    Some((scaled(&hex, scale), rest))
}

/// The float nearest to a hex integer times a power of two, ties to even.
fn scaled(hex: &[u8], scale: i64) -> f64 {
    let (mut mantissa, mut scale, mut sticky) = (0u64, scale, false);
    for &byte in hex {
        let digit = u64::from(char::from(byte).to_digit(16).unwrap_or(0));
        if mantissa >> 58 == 0 {
            mantissa = mantissa << 4 | digit;
        } else {
            scale += 4;
            sticky |= digit != 0;
        }
    }
    if mantissa == 0 {
        return 0.0;
    }
    let bits = 64 - i64::from(mantissa.leading_zeros());
    // Bits that do not fit the float: beyond 53, or below the smallest subnormal.
    let drop = (bits - 53).max(-1074 - scale).max(0);
    if drop > 63 {
        return 0.0;
    }
    if drop > 0 {
        let (half, rest) = (1u64 << (drop - 1), mantissa & ((1 << drop) - 1));
        mantissa >>= drop;
        if rest > half || rest == half && (sticky || mantissa & 1 == 1) {
            mantissa += 1;
        }
    }
    let mut value = mantissa as f64;
    let mut exponent = (scale + drop).clamp(-5000, 5000);
    // Each step is exact: the mantissa was rounded to what the result can hold.
    while exponent > 0 {
        let step = exponent.min(1000);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    while exponent < 0 {
        let step = (-exponent).min(1000);
        value *= 2f64.powi(-step as i32);
        exponent += step;
    }
    value
}
