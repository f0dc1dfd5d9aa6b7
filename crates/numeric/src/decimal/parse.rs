//! Decimals in text.

use std::borrow::Cow;

use dashu_int::UBig;

use super::{Decimal, Finite, MOST_EXPONENT};

/// The digits of the largest number that fits into a word whatever its digits are, and one.
const WORD_DIGITS: usize = 20;

/// A number with blanks around it and single underscores between digits; `None` for anything else.
pub fn parse(text: &str) -> Option<Decimal> {
    let text = text.trim_matches(is_blank);
    match text {
        "NaN" => return Some(Decimal::Nan),
        "Infinity" | "+Infinity" => return Some(Decimal::Infinite { negative: false }),
        "-Infinity" => return Some(Decimal::Infinite { negative: true }),
        _ => {}
    }
    let (number, rest) = prefix(text)?;
    // One underscore may come at the very end.
    (rest.is_empty() || (rest == "_" && !text.contains(['.', 'e', 'E']))).then_some(number)
}

/// The number that the text begins with, zero if it begins with none.
pub fn parse_loosely(text: &str) -> Decimal {
    let text = text.trim_start_matches(is_blank);
    for (name, value) in [
        ("NaN", Decimal::Nan),
        ("Infinity", Decimal::Infinite { negative: false }),
        ("+Infinity", Decimal::Infinite { negative: false }),
        ("-Infinity", Decimal::Infinite { negative: true }),
    ] {
        if text.starts_with(name) {
            return value;
        }
    }
    prefix(text).map_or(Decimal::Zero { negative: false }, |(number, _)| number)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// The longest prefix that is a number, and the rest.
fn prefix(text: &str) -> Option<(Decimal, &str)> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, mut rest) = digits(unsigned);
    let mut fraction = Cow::Borrowed("");
    if let Some(behind) = rest.strip_prefix('.') {
        let (found, after) = digits(behind);
        if !found.is_empty() || !whole.is_empty() {
            (fraction, rest) = (found, after);
        }
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut exponent = 0i64;
    if let Some(behind) = rest.strip_prefix(['e', 'E', 'd', 'D']) {
        let (minus, unsigned) = match behind.as_bytes().first() {
            Some(b'-') => (true, &behind[1..]),
            Some(b'+') => (false, &behind[1..]),
            _ => (false, behind),
        };
        let (found, after) = digits(unsigned);
        if !found.is_empty() {
            let size = found.parse().unwrap_or(2 * MOST_EXPONENT).min(2 * MOST_EXPONENT);
            exponent = if minus { -size } else { size };
            rest = after;
        }
    }
    let value = if whole.len() + fraction.len() < WORD_DIGITS {
        let number = whole.bytes().chain(fraction.bytes()).fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        UBig::from(number)
    } else {
        UBig::from_str_radix(&format!("{whole}{fraction}"), 10).ok()?
    };
    Some((Finite::normal(negative, value, exponent.saturating_sub(fraction.len() as i64)), rest))
}

/// Digits with single underscores between them, which are left out, and the rest.
fn digits(text: &str) -> (Cow<'_, str>, &str) {
    let bytes = text.as_bytes();
    let mut at = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if bytes.get(at) != Some(&b'_') {
        return (Cow::Borrowed(&text[..at]), &text[at..]);
    }
    let mut found = text[..at].to_owned();
    while at < bytes.len() {
        let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
        if digit(at) {
            found.push(bytes[at] as char);
        } else if !(bytes[at] == b'_' && !found.is_empty() && digit(at + 1)) {
            break;
        }
        at += 1;
    }
    (Cow::Owned(found), &text[at..])
}
