//! Sums, products, quotients and powers.

use object::{array::Arr, float::value};
use runtime::{Args, Cx, R, Value, basic_ops, sym};

use crate::complex;
use crate::numeric::{
    coerce,
    ops::{self, Kind, flo, give, give_result, kind, real},
};

macro_rules! operators {
    ($($name:ident $sym:ident $op:tt;)*) => {$(
        #[inline]
        pub fn $name(cx: &mut Cx, a: Value, b: Value) -> R {
            match kind(b) {
                Kind::Float | Kind::Integer => flo(cx, value(a) $op real(b)),
                _ => coerce::binary(cx, a, sym::$sym, b),
            }
        }
    )*};
}

operators! {
    add PLUS +;
    sub MINUS -;
    mul TIMES *;
    div DIVIDE /;
}

/// `a / b` of floats; infinite or NaN for a divisor of zero.
#[inline]
pub fn quotient(a: f64, b: f64) -> f64 {
    a / b
}

/// `a.div(b)`: an Integer.
pub fn floor_div(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Float | Kind::Integer => give_result(cx, numeric::float::floor_div(value(a), real(b))),
        _ => coerce::binary(cx, a, sym::DIV, b),
    }
}

/// `a % b`: has the sign of `b`.
pub fn modulo(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Float | Kind::Integer => modulo_floats(cx, value(a), real(b)),
        _ => coerce::binary(cx, a, sym::MODULO, b),
    }
}

/// `a % b` of floats; ZeroDivisionError.
pub fn modulo_floats(cx: &mut Cx, a: f64, b: f64) -> R {
    if b == 0.0 {
        return Err(ops::zero_division(cx));
    }
    flo(cx, basic_ops::modulo_floats(a, b))
}

/// `divmod(other) → array`: the quotient, rounded down to an Integer, and the remainder, which has the divisor's sign.
/// ZeroDivisionError for 0, also 0.0; FloatDomainError for NaN and infinities.
pub fn divmod(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    match kind(b) {
        Kind::Float | Kind::Integer => divmod_floats(cx, value(a), real(b)),
        _ => coerce::binary(cx, a, sym::DIVMOD, b),
    }
}

/// `[quotient, modulus]`; ZeroDivisionError, FloatDomainError.
pub fn divmod_floats(cx: &mut Cx, a: f64, b: f64) -> R {
    match numeric::float::divmod(a, b) {
        Ok((quotient, rest)) => {
            let quotient = give(cx, quotient)?;
            let rest = flo(cx, rest)?;
            Ok(Arr::pair(cx, quotient, rest).value())
        }
        Err(e) => Err(ops::raise(cx, e)),
    }
}

/// `a ** b`: a Complex for fractional powers of negative numbers.
pub fn pow(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Integer => flo(cx, value(a).powf(real(b))),
        Kind::Float => power(cx, value(a), value(b)),
        _ => coerce::binary(cx, a, sym::POWER, b),
    }
}

/// `a ** b` of floats.
pub fn power(cx: &mut Cx, a: f64, b: f64) -> R {
    match numeric::float::pow(a, b) {
        Some(f) => flo(cx, f),
        None => {
            let (re, im) = numeric::complex::from_polar_pi((-a).powf(b), b);
            let re = flo(cx, re)?;
            match im {
                None => Ok(re),
                Some(im) => {
                    let im = flo(cx, im)?;
                    Ok(complex::new(cx, re, im))
                }
            }
        }
    }
}

/// `-self → float`: the negated number; the sign of 0.0 and NaN changes too.
pub fn negate(cx: &mut Cx, args: Args) -> R {
    flo(cx, -value(args.me()))
}

/// `abs → float`: without the sign; 0.0 for -0.0. Alias: `magnitude`.
pub fn abs(cx: &mut Cx, args: Args) -> R {
    flo(cx, value(args.me()).abs())
}
