//! Rationals: Rational("…") and String#to_r.

use super::{digits, trim_start};
use memory::Grow;

/// A decimal number without a sign: `digits` × 10^`exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecimalText {
    /// ASCII digits; may start with zeros.
    pub digits: Vec<u8>,
    /// Power of ten, clamped to the range of i64.
    pub exponent: i64,
}

impl DecimalText {
    /// Whether it is zero whatever its exponent.
    pub fn is_zero(&self) -> bool {
        self.digits.iter().all(|&digit| digit == b'0')
    }
}

/// A rational as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RationalText {
    /// Whether it has a minus sign.
    pub negative: bool,
    /// The part before the slash.
    pub numerator: DecimalText,
    /// The part after the slash; zero raises ZeroDivisionError.
    pub denominator: Option<DecimalText>,
}

/// `Rational(text)`: the whole text must be a rational; `None` is ArgumentError "invalid value for convert(): %p".
pub fn parse_rational_strict(text: &[u8]) -> Option<RationalText> {
    let (found, rest, complete) = parse(text);
    // A zero denominator is reported before the rest of the text is checked.
    let zero = found.as_ref().is_some_and(|found| found.denominator.as_ref().is_some_and(DecimalText::is_zero));
    if zero || complete && trim_start(rest).is_empty() { found } else { None }
}

/// `String#to_r`: the rational that the text starts with, else 0.
pub fn parse_rational(text: &[u8]) -> RationalText {
    parse(text).0.unwrap_or(RationalText {
        negative: false,
        numerator: DecimalText { digits: vec![b'0'], exponent: 0 },
        denominator: None,
    })
}

/// The numerator and denominator of a text that is nothing but one or two short numbers: `12` or `-1/3`. `None` for
/// most other texts, and for a zero below the slash.
pub fn parse_short_rational(text: &[u8]) -> Option<(i64, i64)> {
    let (negative, digits) = text.strip_prefix(b"-").map_or((false, text), |digits| (true, digits));
    let (n, rest) = short_number(digits)?;
    let d = match rest {
        [] => 1,
        [b'/', rest @ ..] => match short_number(rest)? {
            (0, _) => return None,
            (d, []) => d,
            _ => return None,
        },
        _ => return None,
    };
    Some((if negative { -n } else { n }, d))
}

/// The number of at most 18 digits at the start, and the rest.
fn short_number(text: &[u8]) -> Option<(i64, &[u8])> {
    let len = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(len);
    (1..=18).contains(&len).then(|| (digits.iter().fold(0, |n, digit| n * 10 + i64::from(digit - b'0')), rest))
}

/// The rational, the rest of the text, and whether the syntax up to there was valid.
fn parse(text: &[u8]) -> (Option<RationalText>, &[u8], bool) {
    let mut rest = trim_start(text);
    let negative = rest.first() == Some(&b'-');
    if matches!(rest.first(), Some(b'+' | b'-')) {
        rest = &rest[1..];
    }
    let Some(numerator) = number(&mut rest) else { return (None, rest, false) };
    let mut found = RationalText { negative, numerator, denominator: None };
    if let [b'/', after @ ..] = rest {
        rest = after;
        found.denominator = number(&mut rest);
        let complete = found.denominator.is_some();
        return (Some(found), rest, complete);
    }
    (Some(found), rest, true)
}

/// Digits, a fraction, an exponent; removes what it reads from the start of `text`.
fn number(text: &mut &[u8]) -> Option<DecimalText> {
    let (mut found, len) = digits(text, 10);
    let (mut any, mut exponent) = (len > 0, 0i64);
    if len == 0 && text.first() != Some(&b'.') {
        return None;
    }
    *text = &text[len..];
    if let [b'.', rest @ ..] = *text {
        *text = rest;
        let (fraction, len) = digits(rest, 10);
        if len == 0 {
            // Ruby consumes the point and stops there.
            if found.is_empty() {
                found.append_one(b'0');
            }
            return Some(DecimalText { digits: found, exponent });
        }
        exponent = -(fraction.len() as i64);
        found.extend(fraction);
        *text = &rest[len..];
        any = true;
    }
    if !any {
        return None;
    }
    match *text {
        [b'r', rest @ ..] => *text = rest,
        [b'e' | b'E', rest @ ..] if !rest.is_empty() => {
            let negative = rest[0] == b'-';
            let signed = matches!(rest[0], b'+' | b'-');
            *text = &rest[usize::from(signed)..];
            let (power, len) = digits(text, 10);
            *text = &text[len..];
            if len > 0 {
                let power = memory::lossy_text(&power).parse().unwrap_or(i64::MAX);
                let power = if negative { -power } else { power };
                exponent = exponent.saturating_add(power);
            }
        }
        _ => {}
    }
    Some(DecimalText { digits: found, exponent })
}
