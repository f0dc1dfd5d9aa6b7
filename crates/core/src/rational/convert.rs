//! Conversions of Rational to text and other numbers, and to Rational.

use abi::Type;
use numeric::big::{self, Int};
use numeric::rational::{simplest_between, simplest_between_floats};
use object::{cell, class, string::Str};
use runtime::{Args, Cx, Known, Method, R, Value, call, convert, error, make, sym};
use text::encoding::EncodingId;
use text::number::{DecimalText, RationalText, parse_rational_strict, parse_short_rational};

use super::{from_result, neg, new, parts, whole};
use crate::numeric::ops::{self, Kind, flo, int, kind};
use crate::{complex, integer, kernel::conversions};

pub const OF_NIL: &[Method] = &[
    // `nil.to_r`, `nil.rationalize`: 0/1; `eps` is ignored.
    Method::new("to_r", |cx, _| Ok(whole(cx, Value::fixnum(0)))),
    Method::new("rationalize(eps = nil)", |cx, _| Ok(whole(cx, Value::fixnum(0)))),
];

/// The nearest float.
pub fn to_f64(v: Value) -> f64 {
    let (n, d) = parts(v);
    big::fdiv(int(&n), int(&d))
}

/// `to_f → float`: the nearest Float.
pub fn to_f(cx: &mut Cx, args: Args) -> R {
    flo(cx, to_f64(args.me()))
}

fn text(cx: &mut Cx, v: Value) -> R<String> {
    let (n, d) = parts(v);
    let (n, d) = (integer::in_radix(cx, n, 10)?, integer::in_radix(cx, d, 10)?);
    Ok(format!("{}/{}", memory::lossy_text(Str::of(n).bytes(cx)), memory::lossy_text(Str::of(d).bytes(cx))))
}

/// `to_s → string`: the numerator, a slash and the denominator: "1/3".
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let text = text(cx, args.me())?;
    Ok(make::string(cx, text.as_bytes(), EncodingId::US_ASCII))
}

/// `inspect → string`: `to_s` in parentheses: "(1/3)".
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let text = text(cx, args.me())?;
    Ok(make::string(cx, format!("({text})").as_bytes(), EncodingId::US_ASCII))
}

/// `marshal_dump → array`: the numerator and the denominator, as Marshal writes them.
pub fn marshal_dump(cx: &mut Cx, args: Args) -> R {
    let (n, d) = parts(args.me());
    Ok(make::array(cx, &[n, d]))
}

/// `coerce(other) → array`: `other` and the receiver as numbers of the same class: Rational, Float or Complex.
/// TypeError unless `other` is a number.
pub fn coerce(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    let (first, second) = match kind(other) {
        Kind::Integer => (whole(cx, other), me),
        Kind::Float => {
            let f = flo(cx, to_f64(me))?;
            (other, f)
        }
        Kind::Rational => (other, me),
        Kind::Complex => {
            let (re, im) = complex::parts(other);
            if ops::is_exact_zero(im) {
                let re = to_rational(cx, re)?;
                (re, me)
            } else {
                let me = complex::new(cx, me, Value::fixnum(0));
                (other, me)
            }
        }
        Kind::Other => {
            let (from, into) = (error::class_name_of(cx, other), error::class_name_of(cx, me));
            return Err(cx.type_error(&format!("{from} can't be coerced into {into}")));
        }
    };
    Ok(make::array(cx, &[first, second]))
}

/// A Rational of a number, by to_r.
fn to_rational(cx: &mut Cx, v: Value) -> R {
    match kind(v) {
        Kind::Integer => Ok(whole(cx, v)),
        Kind::Rational => Ok(v),
        _ => call::send(cx, v, sym::TO_R, &[]),
    }
}

/// `rationalize(eps = nil) → rational`: the simplest rational within `eps`; the receiver without it.
pub fn rationalize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let Some(eps) = args.opt(0) else { return Ok(me) };
    let negative = int(&parts(me).0).is_negative();
    let magnitude = if negative { neg(cx, me)? } else { me };
    let eps = crate::complex::polar::magnitude(cx, eps)?;
    let low = ops::sub(cx, magnitude, eps)?;
    let high = ops::add(cx, magnitude, eps)?;
    if call::equal(cx, low, high)? {
        return Ok(me);
    }
    let fraction = if kind(low) == Kind::Float {
        simplest_between_floats(ops::real(low), ops::real(high))
    } else {
        let (low, high) = (to_rational(cx, low)?, to_rational(cx, high)?);
        let ((ln, ld), (hn, hd)) = (parts(low), parts(high));
        simplest_between((int(&ln), int(&ld)), (int(&hn), int(&hd)))
    };
    let made = from_result(cx, fraction)?;
    if negative { neg(cx, made) } else { Ok(made) }
}

/// A Rational from parsed text; ZeroDivisionError.
pub fn from_text(cx: &mut Cx, text: &RationalText) -> R {
    let n = decimal(cx, &text.numerator)?;
    let n = if text.negative { neg(cx, n)? } else { n };
    match &text.denominator {
        None => Ok(n),
        Some(d) => {
            let d = decimal(cx, d)?;
            super::div(cx, n, d)
        }
    }
}

fn decimal(cx: &mut Cx, text: &DecimalText) -> R {
    let digits = ops::interruptible(cx, |interrupt| big::parse_digits(&text.digits, 10, false, interrupt))?;
    let digits = ops::give(cx, digits.unwrap_or(big::Integer::Fix(0)))?;
    if text.is_zero() || text.exponent == 0 {
        return Ok(whole(cx, digits));
    }
    let exponent = Int::Fix(text.exponent.saturating_abs());
    let power = ops::interruptible(cx, |interrupt| big::pow(Int::Fix(10), exponent, interrupt))?;
    let power = ops::give(cx, power)?;
    if text.exponent < 0 {
        return new(cx, digits, power);
    }
    let n = integer::mul(cx, digits, power)?;
    Ok(whole(cx, n))
}

/// `Rational(numerator, denominator = 1, exception: true) → rational or nil`: from numbers, or from Strings whose whole
/// text is a number. TypeError, ArgumentError or ZeroDivisionError for anything else; nil with `exception: false`.
pub fn kernel_rational(cx: &mut Cx, args: Args) -> R {
    let quiet = conversions::quiet(cx, args)?;
    for v in args.all() {
        conversions::check_encoding(cx, *v)?;
    }
    let is_no_number = |text: Str| {
        text.read((), |bytes, ()| parse_short_rational(bytes).is_none() && parse_rational_strict(bytes).is_none())
    };
    if quiet && (args.at(0).is_nil() || Str::from_value(args.at(0)).is_some_and(is_no_number)) {
        return Ok(Value::NIL); // No exception is created for it.
    }
    let result = convert_to_rational(cx, args.at(0), args.opt(1));
    conversions::finish(cx, quiet, result)
}

fn convert_to_rational(cx: &mut Cx, n: Value, d: Option<Value>) -> R {
    if n.is_nil() || d.is_some_and(Value::is_nil) {
        return Err(cx.type_error("can't convert nil into Rational"));
    }
    let n = operand(cx, n)?;
    let d = match d {
        Some(d) => Some(operand(cx, d)?),
        None => None,
    };
    let Some(d) = d else {
        return match kind(n) {
            Kind::Integer => Ok(whole(cx, n)),
            Kind::Rational => Ok(n),
            _ => by_to_r(cx, n),
        };
    };
    if kind(n) == Kind::Rational && ops::is_exact_one(d) {
        return Ok(n);
    }
    if kind(n) == Kind::Integer && kind(d) == Kind::Integer {
        return new(cx, n, d);
    }
    let n = if class::is_known(cx, n, Known::Numeric) { n } else { by_to_r(cx, n)? };
    let d = if class::is_known(cx, d, Known::Numeric) { d } else { by_to_r(cx, d)? };
    let n = match kind(n) {
        Kind::Integer | Kind::Rational => to_rational(cx, n)?,
        Kind::Complex => n,
        _ => call::send_if_responds(cx, n, sym::TO_R, &[])?.unwrap_or(n),
    };
    ops::div(cx, n, d)
}

/// Converts Complexes without an imaginary part, Floats and Strings to their exact values.
fn operand(cx: &mut Cx, v: Value) -> R {
    let v = match kind(v) {
        Kind::Complex if ops::is_exact_zero(complex::parts(v).1) => complex::parts(v).0,
        _ => v,
    };
    match kind(v) {
        Kind::Float => crate::float::exact(cx, ops::real(v)),
        Kind::Other if cell::is(v, Type::String) => strict(cx, v),
        Kind::Other if !call::responds(cx, v, sym::TO_R, false)? => {
            // As in CRuby, an exception of `to_int` does not count: that of Numeric calls `to_i`, which may be missing.
            let whole = match call::send_if_responds(cx, v, sym::TO_INT, &[]) {
                Ok(whole) => whole,
                Err(unwind) => {
                    cx.take_exception(unwind)?;
                    None
                }
            };
            Ok(whole.filter(|n| convert::is_integer(*n)).unwrap_or(v))
        }
        _ => Ok(v),
    }
}

fn strict(cx: &mut Cx, v: Value) -> R {
    if let Some((n, d)) = parse_short_rational(Str::of(v).bytes(cx)) {
        return new(cx, Value::fixnum(n), Value::fixnum(d));
    }
    let bytes = Str::of(v).to_vector();
    if bytes.contains(&0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    match parse_rational_strict(&bytes) {
        Some(text) => from_text(cx, &text),
        None => {
            let shown = call::inspect_text(cx, v)?;
            Err(cx.argument_error(&format!("invalid value for convert(): {shown}")))
        }
    }
}

/// TypeError unless `to_r` returns a Rational.
fn by_to_r(cx: &mut Cx, v: Value) -> R {
    let from = error::describe_for_conversion(cx, v);
    match call::send_if_responds(cx, v, sym::TO_R, &[])? {
        None => Err(cx.type_error(&format!("can't convert {from} into Rational"))),
        Some(r) if kind(r) == Kind::Rational => Ok(r),
        Some(other) => {
            let got = error::class_name_of(cx, other);
            Err(cx.type_error(&format!("can't convert {from} to Rational ({from}#to_r gives {got})")))
        }
    }
}
