//! Conversions of Float to text and other numbers; adjacent Floats.

use numeric::rational::{rationalize_float, simplest_between_floats};
use object::float::value;
use runtime::{Args, Cx, R, Value, convert, make};
use text::encoding::EncodingId;

use crate::numeric::ops::{self, Kind, flo, kind};
use crate::rational;

/// `to_s → string`: the shortest decimal digits that parse to the same number, with an exponent below 1e-4 and from
/// 1e16 on; `NaN`, `Infinity`. Alias: `inspect`.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let text = text::number::float_to_s(value(args.me()));
    Ok(make::string(cx, text.as_bytes(), EncodingId::US_ASCII))
}

/// `to_i → integer`: the number without its fraction. FloatDomainError for NaN and infinities. Alias: `to_int`.
pub fn to_i(cx: &mut Cx, args: Args) -> R {
    convert::float_to_integer(cx, value(args.me()))
}

/// `to_r → rational`: the exact value. FloatDomainError for NaN and infinities.
pub fn to_r(cx: &mut Cx, args: Args) -> R {
    exact(cx, value(args.me()))
}

/// The Rational that is exactly this float.
pub fn exact(cx: &mut Cx, f: f64) -> R {
    let fraction = numeric::float::to_fraction(f);
    rational::from_result(cx, fraction)
}

/// `rationalize(eps = nil) → rational`: the simplest rational within `eps`, or within the precision of the Float.
/// FloatDomainError for NaN and infinities.
pub fn rationalize(cx: &mut Cx, args: Args) -> R {
    let f = value(args.me());
    let Some(eps) = args.opt(0) else {
        let fraction = rationalize_float(f);
        return rational::from_result(cx, fraction);
    };
    let eps = crate::complex::polar::magnitude(cx, eps)?;
    if kind(eps) != Kind::Float && kind(eps) != Kind::Integer {
        // `eps` is a Rational: exact arithmetic on the magnitude.
        let exact_me = object::float::new(cx, f.abs());
        let low = ops::sub(cx, exact_me, eps)?;
        let high = ops::add(cx, exact_me, eps)?;
        let (low, high) = (convert::to_f64(cx, low)?, convert::to_f64(cx, high)?);
        return between(cx, f, low, high);
    }
    let eps = ops::real(eps);
    between(cx, f, f.abs() - eps, f.abs() + eps)
}

fn between(cx: &mut Cx, f: f64, low: f64, high: f64) -> R {
    if low == high {
        return exact(cx, f);
    }
    // FloatDomainError names the lower bound.
    let made = if !low.is_finite() || !high.is_finite() {
        exact(cx, low.ceil())?
    } else {
        let fraction = simplest_between_floats(low.min(high), low.max(high));
        rational::from_result(cx, fraction)?
    };
    if f < 0.0 { rational::neg(cx, made) } else { Ok(made) }
}

/// `numerator → integer or float`: the numerator of the exact value; NaN and infinities are returned unchanged.
pub fn numerator(cx: &mut Cx, args: Args) -> R {
    let f = value(args.me());
    if !f.is_finite() {
        return Ok(args.me());
    }
    let r = exact(cx, f)?;
    Ok(rational::parts(r).0)
}

/// `denominator → integer`: the denominator of the exact value, a power of two; 1 for NaN and infinities.
pub fn denominator(cx: &mut Cx, args: Args) -> R {
    let f = value(args.me());
    if !f.is_finite() {
        return Ok(Value::fixnum(1));
    }
    let r = exact(cx, f)?;
    Ok(rational::parts(r).1)
}

/// `arg → 0 or float`: 0, or π for negative numbers and -0.0; NaN for NaN. Aliases: `angle`, `phase`.
pub fn arg(cx: &mut Cx, args: Args) -> R {
    let f = value(args.me());
    if f.is_nan() {
        return Ok(args.me());
    }
    if f.is_sign_negative() { flo(cx, std::f64::consts::PI) } else { Ok(Value::fixnum(0)) }
}

/// `coerce(other) → [Float(other), self]`: both as floats. TypeError or ArgumentError as raised by `Float(other)`.
pub fn coerce(cx: &mut Cx, args: Args) -> R {
    let other = crate::numeric::convert::kernel_float(cx, args.at(0))?;
    Ok(make::array(cx, &[other, args.me()]))
}

/// `next_float → float`: the next greater Float; Infinity for the largest Float.
pub fn next_float(cx: &mut Cx, args: Args) -> R {
    flo(cx, numeric::float::next_float(value(args.me())))
}

/// `prev_float → float`: the next smaller Float; -Infinity for the smallest Float.
pub fn prev_float(cx: &mut Cx, args: Args) -> R {
    flo(cx, numeric::float::prev_float(value(args.me())))
}
