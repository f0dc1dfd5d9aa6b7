//! Conversion to text, Integers, Floats and fractions.

use core_classes::{numeric::ops, rational};
use numeric::decimal::{self, Decimal, Finite};
use object::{cell, float, string::Str};
use runtime::{Args, Cx, R, Value, convert, make};
use text::EncodingId;

use super::value::{not_finite, of, or_raise, words};

/// The format of `to_s`.
#[derive(Default)]
struct Format {
    /// The prefix of non-negative numbers: "+", a blank, or nothing.
    sign: &'static str,
    /// The number of digits after which a blank is inserted, 0 for none.
    group: usize,
    /// Whether the text has a decimal point rather than an exponent.
    plain: bool,
}

/// `to_s(format = nil) → string`: the number as text, with an exponent, or in plain notation if the format contains
/// "F". "+" or " " at the start of the format is put before numbers that are not negative; a number in the format is
/// the size of groups of digits.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let mut format = Format::default();
    match args.opt(0).filter(|v| !v.is_nil()) {
        None => {}
        Some(v) if cell::is(v, abi::Type::String) => {
            let text = Str::of(v).bytes(cx);
            let rest = match text {
                [b'+', rest @ ..] => {
                    format.sign = "+";
                    rest
                }
                [b' ', rest @ ..] => {
                    format.sign = " ";
                    rest
                }
                _ => text,
            };
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            format.group = str::from_utf8(&rest[..digits]).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0);
            format.plain = matches!(rest.get(digits), Some(b'F' | b'f'));
        }
        Some(v) => format.group = usize::try_from(convert::to_i64(cx, v)?).unwrap_or(0),
    }
    if let Some((text, length)) = shown_short(me, &format) {
        return Ok(make::string(cx, &text[..length], EncodingId::US_ASCII));
    }
    Ok(make::string(cx, shown(me, &format).as_bytes(), EncodingId::US_ASCII))
}

/// The length of the longest text of [`shown_short`], with a sign, three digits of an exponent and a margin.
const SHORT: usize = 64;

/// The text of a number of few digits near the point, without groups, and its length.
fn shown_short(me: &Decimal, format: &Format) -> Option<([u8; SHORT], usize)> {
    let finite = me.finite().filter(|_| format.group == 0)?;
    let (mut word, point) = (finite.word()?, finite.point());
    if !(-20..=20).contains(&point) {
        return None;
    }
    let count = finite.count() as usize;
    let mut digits = [b'0'; 20];
    for digit in digits[..count].iter_mut().rev() {
        *digit = b'0' + (word % 10) as u8;
        word /= 10;
    }
    let (mut text, mut length) = ([b'0'; SHORT], 0);
    let mut add = |bytes: &[u8]| {
        text[length..length + bytes.len()].copy_from_slice(bytes);
        length += bytes.len();
    };
    add(if me.is_negative() { b"-" } else { format.sign.as_bytes() });
    const ZEROS: [u8; 20] = [b'0'; 20];
    let before = usize::try_from(point).unwrap_or(0);
    match (format.plain, point > 0) {
        (true, true) => {
            add(&digits[..before.min(count)]);
            add(&ZEROS[..before.saturating_sub(count)]);
            add(b".");
            add(if before < count { &digits[before..count] } else { b"0" });
        }
        (true, false) => {
            add(b"0.");
            add(&ZEROS[..point.unsigned_abs() as usize]);
            add(&digits[..count]);
        }
        (false, _) => {
            add(b"0.");
            add(&digits[..count]);
            add(if point < 0 { b"e-" } else { b"e" });
            let exponent = point.unsigned_abs() as u8;
            let tens = [b'0' + exponent / 10, b'0' + exponent % 10];
            add(if exponent < 10 { &tens[1..] } else { &tens });
        }
    }
    Some((text, length))
}

fn shown(me: &Decimal, format: &Format) -> String {
    let sign = if me.is_negative() { "-" } else { format.sign };
    match me {
        Decimal::Nan => "NaN".into(),
        Decimal::Infinite { .. } => format!("{sign}Infinity"),
        Decimal::Zero { .. } => format!("{sign}0.0"),
        Decimal::Finite(finite) if format.plain => format!("{sign}{}", plain(finite, format.group)),
        Decimal::Finite(finite) if format.group == 0 => format!("{sign}0.{}e{}", finite.digits(), finite.point()),
        Decimal::Finite(finite) => {
            format!("{sign}0.{}e{}", grouped(&finite.digits(), format.group, false), finite.point())
        }
    }
}

/// A number in plain notation: digits, a point, digits.
fn plain(finite: &Finite, group: usize) -> String {
    let (digits, point) = (finite.digits(), finite.point());
    // The zeros before or after the digits come from the exponent, which may be any number.
    memory::expect_work(digits.len().saturating_add(point.unsigned_abs() as usize));
    if group == 0 && point > 0 && (point as usize) < digits.len() {
        let (whole, fraction) = digits.split_at(point as usize);
        return format!("{whole}.{fraction}");
    }
    let (whole, fraction) = if point <= 0 {
        ("0".to_owned(), format!("{}{digits}", memory::repeated("0", point.unsigned_abs() as usize)))
    } else if point as usize >= digits.len() {
        (format!("{digits}{}", memory::repeated("0", point as usize - digits.len())), "0".to_owned())
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        (whole.to_owned(), fraction.to_owned())
    };
    format!("{}.{}", grouped(&whole, group, true), grouped(&fraction, group, false))
}

/// Inserts blanks between groups, counted from the point.
fn grouped(digits: &str, group: usize, from_end: bool) -> String {
    if group == 0 || digits.len() <= group {
        return digits.to_owned();
    }
    let first = if from_end { digits.len() % group } else { 0 };
    let mut text = String::new();
    memory::append_text(&mut text, &digits[..first]);
    let mut rest = &digits[first..];
    while !rest.is_empty() {
        let (part, after) = rest.split_at(group.min(rest.len()));
        if !text.is_empty() {
            memory::append_text(&mut text, " ");
        }
        memory::append_text(&mut text, part);
        rest = after;
    }
    text
}

/// The whole part as an Integer.
pub fn integer(cx: &mut Cx, me: &Decimal) -> R {
    match me {
        Decimal::Finite(finite) => {
            let n = or_raise(cx, finite.to_integer())?;
            ops::give(cx, n)
        }
        Decimal::Zero { .. } => Ok(Value::fixnum(0)),
        _ => Err(not_finite(cx, me)),
    }
}

/// `to_i → integer`: the digits after the decimal point are dropped. FloatDomainError for NaN and infinities. Alias:
/// `to_int`.
pub fn to_i(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    integer(cx, me)
}

/// `to_f → float`: the nearest Float; an infinity if the number is beyond the largest Float.
pub fn to_f(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let sign = if me.is_negative() { -1.0 } else { 1.0 };
    let f = match me {
        Decimal::Nan => f64::NAN,
        Decimal::Infinite { .. } => sign * f64::INFINITY,
        Decimal::Zero { .. } => sign * 0.0,
        Decimal::Finite(finite) => finite.to_f64(),
    };
    Ok(float::new(cx, f))
}

/// `to_r → rational`: the exact value. FloatDomainError for NaN and infinities.
pub fn to_r(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    match me {
        Decimal::Finite(finite) => {
            let (numerator, denominator) = or_raise(cx, finite.to_fraction())?;
            let (numerator, denominator) = (ops::give(cx, numerator)?, ops::give(cx, denominator)?);
            rational::new(cx, numerator, denominator)
        }
        Decimal::Zero { .. } => Ok(rational::whole(cx, Value::fixnum(0))),
        _ => Err(not_finite(cx, me)),
    }
}

/// `split → [sign, digits, 10, exponent]`: the number as sign times 0.digits times 10 to the power of the exponent; the
/// digits are a String.
pub fn split(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let (sign, digits, exponent) = match me {
        Decimal::Nan => (0, "NaN".to_owned(), 0),
        Decimal::Infinite { .. } => (1, "Infinity".to_owned(), 0),
        Decimal::Zero { .. } => (1, "0".to_owned(), 0),
        Decimal::Finite(finite) => (1, finite.digits(), finite.point()),
    };
    let digits = make::string(cx, digits.as_bytes(), EncodingId::US_ASCII);
    let sign = if me.is_negative() { -sign } else { sign };
    Ok(make::array(cx, &[Value::fixnum(sign), digits, Value::fixnum(10), Value::fixnum(exponent)]))
}

/// `exponent → integer`: the power of ten by which `0.digits` has to be multiplied; 0 for 0, NaN and infinities.
pub fn exponent(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me_ref())?.finite().map_or(0, Finite::point)))
}

fn scale_of(me: &Decimal) -> i64 {
    me.finite().map_or(0, |finite| (-finite.exponent()).max(0))
}

fn precision_of(me: &Decimal) -> i64 {
    me.finite().map_or(0, |finite| decimal::precision_of(finite) as i64)
}

/// `precision → integer`: the number of decimal digits without leading zeros.
pub fn precision(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(precision_of(of(cx, args.me_ref())?)))
}

/// `scale → integer`: the number of decimal digits after the decimal point.
pub fn scale(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(scale_of(of(cx, args.me_ref())?)))
}

/// `precision_scale → [precision, scale]`: the number of decimal digits without leading zeros, and of those after the
/// decimal point.
pub fn precision_scale(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    Ok(make::array(cx, &[Value::fixnum(precision_of(me)), Value::fixnum(scale_of(me))]))
}

/// `n_significant_digits → integer`: the number of decimal digits without zeros at both ends.
pub fn significant_digits(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me_ref())?.count() as i64))
}

/// `precs → [digits, most digits]`: the number of digits in CRuby's words of nine digits. Deprecated.
pub fn precs(cx: &mut Cx, args: Args) -> R {
    let digits = words(of(cx, args.me_ref())?).max(2) as i64 * 9;
    Ok(make::array(cx, &[Value::fixnum(digits), Value::fixnum(digits)]))
}

/// `_dump(limit = nil) → string`: the number of bytes that CRuby reserves, a colon and `to_s`, for Marshal.
pub fn dump(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let size = words(me).max(2) * 9;
    let text = format!("{size}:{}", shown(me, &Format::default()));
    Ok(make::string(cx, text.as_bytes(), EncodingId::US_ASCII))
}
