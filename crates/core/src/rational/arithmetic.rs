//! Sums, products, quotients and powers.

use numeric::big::{self, Error, Int};
use numeric::rational::{self, Fraction, Operand};
use object::{bigint, float};
use runtime::{Args, Cx, Known, R, Value, call, convert, make, sym};

use super::{from_result, parts, to_f64};
use crate::complex;
use crate::integer::small_gcd;
use crate::numeric::{
    coerce, long_operation,
    ops::{self, Kind, flo, int, kind},
};

/// The numerator and denominator of an Integer or Rational.
fn fraction(v: Value) -> (Value, Value) {
    if kind(v) == Kind::Rational { parts(v) } else { (v, Value::fixnum(1)) }
}

/// The result of an operation on fractions: by `small` if the operands are fixnums and the result fits a word,
/// otherwise by `f`, which may take long.
fn exactly(
    cx: &mut Cx,
    a: Value,
    b: Value,
    small: impl Fn([i128; 4]) -> (i128, i128),
    f: fn(Operand, Operand) -> Result<Fraction, Error>,
) -> R {
    let ((an, ad), (bn, bd)) = (fraction(a), fraction(b));
    if let [Some(an), Some(ad), Some(bn), Some(bd)] = [an, ad, bn, bd].map(Value::as_fixnum) {
        // Fixnums have 63 bits, so that a sum of two products fits.
        let (n, d) = small([an, ad, bn, bd].map(i128::from));
        if let (Ok(n), Ok(d)) = (i64::try_from(n), i64::try_from(d))
            && d != 0
            && n != i64::MIN
            && d != i64::MIN
        {
            let common = small_gcd(n, d) * d.signum();
            let (n, d) = (bigint::from_i64(cx, n / common), bigint::from_i64(cx, d / common));
            return Ok(make::pair(cx, Known::Rational, n, d));
        }
    }
    let operands = [int(&an), int(&ad), int(&bn), int(&bd)];
    let longest = operands.iter().map(|n| n.magnitude_bits()).max().unwrap_or(0);
    // Most of the work is reducing the fraction, by a GCD.
    let weight = long_operation::square_weight(longest).saturating_mul(16);
    let fraction = long_operation::run(cx, &operands, weight, move |o, _| f((o[0], o[1]), (o[2], o[3])))?;
    from_result(cx, Ok(fraction))
}

/// `a + b`
pub fn add(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Integer | Kind::Rational => {
            exactly(cx, a, b, |[an, ad, bn, bd]| (an * bd + bn * ad, ad * bd), rational::sum)
        }
        Kind::Float => flo(cx, to_f64(a) + float::value(b)),
        Kind::Complex => complex::add(cx, b, a),
        Kind::Other => coerce::binary(cx, a, sym::PLUS, b),
    }
}

/// `a - b`
pub fn sub(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Integer | Kind::Rational => {
            exactly(cx, a, b, |[an, ad, bn, bd]| (an * bd - bn * ad, ad * bd), rational::difference)
        }
        Kind::Float => flo(cx, to_f64(a) - float::value(b)),
        Kind::Complex => complex::subtract_from_real(cx, a, b),
        Kind::Other => coerce::binary(cx, a, sym::MINUS, b),
    }
}

/// `a * b`
pub fn mul(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Integer | Kind::Rational => exactly(cx, a, b, |[an, ad, bn, bd]| (an * bn, ad * bd), rational::product),
        Kind::Float => flo(cx, to_f64(a) * float::value(b)),
        Kind::Complex => complex::mul(cx, b, a),
        Kind::Other => coerce::binary(cx, a, sym::TIMES, b),
    }
}

/// `a / b`; ZeroDivisionError for an exact zero.
pub fn div(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Integer | Kind::Rational => exactly(cx, a, b, |[an, ad, bn, bd]| (an * bd, ad * bn), rational::quotient),
        Kind::Float => flo(cx, to_f64(a) / float::value(b)),
        _ => coerce::binary(cx, a, sym::DIVIDE, b),
    }
}

/// `fdiv(other) → float`: the quotient as a Float; an infinity or NaN for 0.
pub fn fdiv(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    if matches!(kind(b), Kind::Integer | Kind::Float) && ops::real(b) == 0.0 {
        return flo(cx, to_f64(a) / ops::real(b));
    }
    let quotient = div(cx, a, b)?;
    match kind(quotient) {
        Kind::Float => Ok(quotient),
        Kind::Rational | Kind::Integer => {
            let f = convert::to_f64(cx, quotient)?;
            flo(cx, f)
        }
        _ => call::send(cx, quotient, sym::TO_F, &[]),
    }
}

/// `-a`
pub fn neg(cx: &mut Cx, a: Value) -> R {
    let (n, d) = parts(a);
    let n = ops::give(cx, big::neg(int(&n)))?;
    Ok(make::pair(cx, Known::Rational, n, d))
}

/// `abs → rational`: without the sign. Alias: `magnitude`.
pub fn abs(cx: &mut Cx, args: Args) -> R {
    if int(&parts(args.me()).0).is_negative() { neg(cx, args.me()) } else { Ok(args.me()) }
}

/// `a ** b`: exact for Integer exponents, otherwise a Float or Complex.
pub fn pow(cx: &mut Cx, a: Value, b: Value) -> R {
    let one = Value::fixnum(1);
    let b = match kind(b) {
        Kind::Rational if parts(b).1 == one => parts(b).0,
        _ => b,
    };
    match kind(b) {
        Kind::Integer => power_of_fraction(cx, parts(a), b),
        Kind::Rational => {
            let (n, d) = parts(a);
            if d == one && n == one {
                return Ok(a);
            }
            if n == Value::fixnum(0) {
                return if int(&parts(b).0).is_negative() { Err(ops::zero_division(cx)) } else { Ok(a) };
            }
            crate::float::power(cx, to_f64(a), to_f64(b))
        }
        Kind::Float => crate::float::power(cx, to_f64(a), float::value(b)),
        _ => coerce::binary(cx, a, sym::POWER, b),
    }
}

/// The power of a fraction in lowest terms, as a Rational.
pub fn power_of_fraction(cx: &mut Cx, (n, d): (Value, Value), b: Value) -> R {
    let one = Value::fixnum(1);
    if b == Value::fixnum(0) || (d == one && n == one) {
        return Ok(super::whole(cx, one));
    }
    if d == one && n == Value::fixnum(-1) {
        return Ok(super::whole(cx, Value::fixnum(if int(&b).is_odd() { -1 } else { 1 })));
    }
    let negative = int(&b).is_negative();
    if n == Value::fixnum(0) {
        return if negative { Err(ops::zero_division(cx)) } else { Ok(super::whole(cx, n)) };
    }
    if !b.is_fixnum() {
        return Err(cx.argument_error("exponent is too large"));
    }
    let exponent = b.fixnum_value().abs();
    let (n, d) = (power_of_part(cx, n, exponent)?, power_of_part(cx, d, exponent)?);
    if !negative {
        return Ok(make::pair(cx, Known::Rational, n, d));
    }
    // The powers of numbers without a common factor have none either; the denominator is positive.
    let is_below_zero = int(&n).is_negative();
    let positive = |cx: &mut Cx, v: Value| if is_below_zero { ops::give(cx, big::neg(int(&v))) } else { Ok(v) };
    let (n, d) = (positive(cx, n)?, positive(cx, d)?);
    Ok(make::pair(cx, Known::Rational, d, n))
}

/// The power of a numerator or denominator.
fn power_of_part(cx: &mut Cx, n: Value, exponent: i64) -> R {
    if exponent == 1 || n == Value::fixnum(1) {
        return Ok(n);
    }
    if let (Some(n), Ok(exponent)) = (n.as_fixnum(), u32::try_from(exponent))
        && let Some(power) = n.checked_pow(exponent).and_then(Value::try_fixnum)
    {
        return Ok(power);
    }
    let power = ops::interruptible(cx, |interrupt| big::pow(int(&n), Int::Fix(exponent), interrupt))?;
    ops::give(cx, power)
}
