//! Conversions to numbers and symbols.

use memory::ToVector;
use object::{Known, float, string::Str, symbol};
use runtime::{Args, Cx, R, Value, call, convert, error::OrRaise, make, sym};
use text::{
    CodeRange, EncodingId,
    number::{self, ComplexText, DecimalText, IntegerError, IntegerText, NumberText, RationalText},
};

use super::modify;
use crate::{integer::small_gcd, numeric::long_operation};

fn check_ascii_compatible(cx: &mut Cx, s: Str) -> R<()> {
    if s.encoding().is_ascii_compatible() {
        return Ok(());
    }
    let message = format!("ASCII incompatible encoding: {}", s.encoding().name());
    Err(cx.raise(runtime::error::ErrorClass::CompatibilityError, &message))
}

/// The Integer that the text represents.
pub fn integer(cx: &mut Cx, text: IntegerText) -> R {
    match text {
        IntegerText::Small(n) => Ok(object::bigint::from_i64(cx, n)),
        IntegerText::Big { negative, radix, digits } => {
            let weight = long_operation::square_weight(digits.len() as u64 * 4);
            let parsed = long_operation::run(cx, &[], weight, move |_, stop| {
                numeric::big::parse_digits(&digits, radix, negative, stop)
            })?;
            match parsed {
                Some(n) => object::bigint::integer(cx, n).or_raise(cx),
                None => Ok(Value::fixnum(0)),
            }
        }
    }
}

pub fn in_base(cx: &mut Cx, s: Str, base: i64) -> R {
    check_ascii_compatible(cx, s)?;
    match number::parse_integer(s.bytes(cx), base) {
        Ok(text) => integer(cx, text),
        Err(IntegerError::InvalidRadix | IntegerError::Invalid) => {
            Err(cx.argument_error(&format!("invalid radix {base}")))
        }
    }
}

/// `to_i(base = 10) → integer`: the number at the start of the text, or 0 if there is none. A base of 0 follows
/// prefixes such as `0x`. ArgumentError for a base that is not 0 or 2 to 36.
pub fn to_i(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let base = match args.opt(0) {
        None => 10,
        Some(v) => convert::to_i32(cx, v)?.into(),
    };
    check_ascii_compatible(cx, s)?;
    if base < 0 || base == 1 || base > 36 {
        return Err(cx.argument_error(&format!("invalid radix {base}")));
    }
    in_base(cx, s, base)
}

/// `hex → integer`: the hexadecimal number at the start, with an optional sign and `0x`; otherwise 0.
pub fn hex(cx: &mut Cx, args: Args) -> R {
    in_base(cx, Str::of(args.me()), 16)
}

/// `oct → integer`: the octal number at the start, otherwise 0; prefixes such as `0x` and `0b` choose another base.
pub fn oct(cx: &mut Cx, args: Args) -> R {
    in_base(cx, Str::of(args.me()), -8)
}

/// `to_f → float`: the number at the start of the text, or 0.0 if there is none; `_` may separate digits.
pub fn to_f(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    check_ascii_compatible(cx, s)?;
    let number = number::parse_float(s.bytes(cx));
    Ok(float::new(cx, number))
}

/// A decimal as a Rational or Integer: digits and a power of ten.
fn decimal(cx: &mut Cx, text: &DecimalText, negative: bool) -> R {
    let digits: &[u8] = &text.digits;
    let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(digits.len());
    let digits = if first == digits.len() { b"0" } else { &digits[first..] };
    let whole = integer(cx, IntegerText::Big { negative, radix: 10, digits: digits.to_vector() })?;
    if text.exponent == 0 || whole == Value::fixnum(0) {
        return Ok(whole);
    }
    let ten = Value::fixnum(10);
    let power = call::send(cx, ten, sym::POWER, &[Value::fixnum(text.exponent.saturating_abs())])?;
    if text.exponent > 0 {
        return call::send(cx, whole, sym::TIMES, &[power]);
    }
    quotient(cx, whole, power)
}

/// `a.quo(b)` of Integers or Rationals: exact.
fn quotient(cx: &mut Cx, a: Value, b: Value) -> R {
    let name = symbol::table::intern_text(cx, "quo");
    call::send(cx, a, name, &[b])
}

/// The Rational (or Integer, if `exact` is false) of a text.
fn rational(cx: &mut Cx, text: &RationalText) -> R {
    let numerator = decimal(cx, &text.numerator, text.negative)?;
    match &text.denominator {
        None => Ok(numerator),
        Some(denominator) => {
            let denominator = decimal(cx, denominator, false)?;
            if denominator == Value::fixnum(0) {
                return Err(cx.raise(runtime::error::ErrorClass::ZeroDivisionError, "divided by 0"));
            }
            quotient(cx, numerator, denominator)
        }
    }
}

/// A value as a Rational.
fn as_rational(cx: &mut Cx, v: Value) -> R {
    if convert::is_integer(v) { Ok(make::pair(cx, Known::Rational, v, Value::fixnum(1))) } else { Ok(v) }
}

/// `to_r → rational`: the exact value of the fraction or decimal number at the start, or 0/1 if there is none.
pub fn to_r(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    check_ascii_compatible(cx, s)?;
    if let Some((n, d)) = number::parse_short_rational(s.bytes(cx)) {
        let common = small_gcd(n, d);
        return Ok(make::pair(cx, Known::Rational, Value::fixnum(n / common), Value::fixnum(d / common)));
    }
    let text = number::parse_rational(s.bytes(cx));
    let r = rational(cx, &text)?;
    as_rational(cx, r)
}

fn part(cx: &mut Cx, text: NumberText) -> R {
    match text {
        NumberText::Integer(text) => integer(cx, text),
        NumberText::Float(f) => Ok(float::new(cx, f)),
        NumberText::Rational(text) => {
            let r = rational(cx, &text)?;
            as_rational(cx, r)
        }
    }
}

/// The Complex of a text.
pub fn complex(cx: &mut Cx, text: ComplexText) -> R {
    match text {
        ComplexText::Rectangular { real, imaginary } => {
            let real = part(cx, real)?;
            let imaginary = part(cx, imaginary)?;
            Ok(make::pair(cx, Known::Complex, real, imaginary))
        }
        ComplexText::Polar { absolute, argument } => {
            let absolute = part(cx, absolute)?;
            let argument = part(cx, argument)?;
            let class = cx.class(Known::Complex);
            let name = symbol::table::intern_text(cx, "polar");
            call::send_core(cx, class, name, &[absolute, argument])
        }
    }
}

/// `to_c → complex`: the number at the start, `1+2i` or polar `1@2`, or 0+0i if there is none.
pub fn to_c(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    check_ascii_compatible(cx, s)?;
    complex(cx, number::parse_complex(s.bytes(cx)))
}

/// `to_sym → symbol`: the symbol with this name; pure ASCII names are the same in all encodings. EncodingError for
/// invalid bytes, except in US-ASCII and encodings that do not contain ASCII. Alias: `intern`.
pub fn to_sym(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let encoding = convert::symbol_encoding(s);
    if s.code_range() == CodeRange::Broken && encoding.is_ascii_compatible() && encoding != EncodingId::US_ASCII {
        return Err(convert::invalid_symbol(cx, s));
    }
    Ok(symbol::table::intern_string(cx, s, encoding).value())
}

/// `ord → integer`: the number of the first character in the encoding. ArgumentError for an empty or invalid string.
pub fn ord(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    if s.is_empty() {
        return Err(cx.argument_error("empty string"));
    }
    if s.encoding().is_single_byte() {
        let byte = s.bytes(cx)[0];
        if s.encoding() == EncodingId::US_ASCII && byte > 0x7F {
            return Err(modify::invalid_bytes(cx, s.encoding()));
        }
        return Ok(Value::fixnum(byte as i64));
    }
    match text::encoding::codepoint(s.encoding(), s.bytes(cx)) {
        Some((code, _)) => Ok(Value::fixnum(code as i64)),
        None => Err(modify::invalid_bytes(cx, s.encoding())),
    }
}

/// `chr → string`: the first character, empty if there is none.
pub fn chr(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let len = if s.is_empty() { 0 } else { text::encoding::char_len_or_min(s.encoding(), s.bytes(cx)) };
    modify::part(cx, s, 0, len)
}
