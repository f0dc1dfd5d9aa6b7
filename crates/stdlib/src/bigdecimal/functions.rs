//! Roots and powers, BigMath.exp and BigMath.log.

use core_classes::numeric::ops::{Kind, kind};
use numeric::{
    big::Int,
    decimal::{self, Decimal, Finite},
};
use runtime::{Args, Cx, R, Value, convert, error, error::ErrorClass};

use super::{
    modes,
    value::{self, give, of, operand, or_raise},
};

/// The number of digits of infinite expansions, unless more are requested.
const DIGITS: u64 = 32;

fn digits(cx: &mut Cx, v: Value) -> R<u64> {
    match u64::try_from(convert::to_i64(cx, v)?) {
        Ok(digits) => Ok(digits),
        Err(_) => Err(cx.argument_error("negative precision")),
    }
}

/// `sqrt(digits) → bigdecimal`: the square root to at least `digits` digits. FloatDomainError for negative numbers and
/// NaN.
pub fn sqrt(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let wanted = digits(cx, args.at(0))?;
    match me {
        Decimal::Nan => Err(cx.raise(ErrorClass::FloatDomainError, "sqrt of 'NaN'(Not a Number)")),
        Decimal::Zero { .. } | Decimal::Infinite { negative: false } => Ok(args.me()),
        _ if me.is_negative() => Err(cx.raise(ErrorClass::FloatDomainError, "sqrt of negative value")),
        Decimal::Finite(finite) => {
            let wanted = wanted.max(DIGITS).max(finite.count());
            give(cx, decimal::square_root(finite, wanted, modes::rounding()))
        }
        Decimal::Infinite { .. } => Ok(args.me()),
    }
}

/// `power(exponent, digits = nil)`, `**(exponent) → bigdecimal`: the receiver to the power of the exponent: exact for
/// whole exponents that are not negative, otherwise to `digits` digits. TypeError unless the exponent is a number,
/// Math::DomainError for a fractional power of a negative number.
pub fn power(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let wanted = match args.opt(1).filter(|v| !v.is_nil()) {
        Some(v) => digits(cx, v)?,
        None => 0,
    };
    let by = if kind(args.at(0)) == Kind::Other && value::get(args.at_ref(0)).is_none() {
        None
    } else {
        operand(me, args.at(0))
    };
    let Some(by) = by else {
        let name = error::class_name_of(cx, args.at(0));
        return Err(cx.type_error(&format!("wrong argument type {name} (expected scalar Numeric)")));
    };
    if me.is_nan() || by.is_nan() {
        return give(cx, Decimal::Nan);
    }
    let result = match whole(&by) {
        Some(n) => power_of_integer(cx, me, n, wanted)?,
        None => power_of_fraction(cx, me, &by, wanted)?,
    };
    let result = if wanted > 0 { result.rounded_to_digits(wanted, modes::rounding()) } else { result };
    give(cx, modes::limited(result))
}

/// The exponent if it is an integer, saturated.
fn whole(by: &Decimal) -> Option<i64> {
    match by {
        Decimal::Zero { .. } => Some(0),
        Decimal::Finite(finite) if finite.exponent() >= 0 => {
            let huge = if by.is_negative() { i64::MIN + 1 } else { i64::MAX };
            Some(finite.to_integer().ok().and_then(|n| n.as_int().to_i64()).unwrap_or(huge))
        }
        _ => None,
    }
}

fn power_of_integer(cx: &mut Cx, me: &Decimal, n: i64, wanted: u64) -> R<Decimal> {
    let one = Decimal::from_integer(Int::Fix(1));
    let negative = me.is_negative() && n % 2 != 0;
    Ok(match me {
        _ if n == 0 => one,
        Decimal::Zero { .. } if n < 0 => Decimal::Infinite { negative },
        Decimal::Zero { .. } => Decimal::Zero { negative },
        Decimal::Infinite { .. } if n < 0 => Decimal::Zero { negative },
        Decimal::Infinite { .. } => Decimal::Infinite { negative },
        Decimal::Finite(finite) => {
            let raised = or_raise(cx, decimal::power(finite, n.unsigned_abs()))?;
            if n > 0 {
                raised
            } else if wanted > 0 {
                decimal::divide_to_digits(&one, &raised, wanted, modes::rounding())
            } else {
                decimal::divide(&one, &raised, modes::rounding())
            }
        }
        Decimal::Nan => Decimal::Nan,
    })
}

/// Computes the power by logarithm and exponential.
fn power_of_fraction(cx: &mut Cx, me: &Decimal, by: &Decimal, wanted: u64) -> R<Decimal> {
    if me.is_negative() && !me.is_zero() {
        return Err(cx.raise(ErrorClass::MathDomainError, "Zero or negative argument for log"));
    }
    let grows = !by.is_negative();
    let one = Decimal::from_integer(Int::Fix(1));
    match (me, by) {
        (Decimal::Zero { .. }, _) if grows => return Ok(Decimal::Zero { negative: false }),
        (Decimal::Zero { .. }, _) => return Ok(Decimal::Infinite { negative: false }),
        (Decimal::Infinite { .. }, _) if grows => return Ok(Decimal::Infinite { negative: false }),
        (Decimal::Infinite { .. }, _) => return Ok(Decimal::Zero { negative: false }),
        (_, Decimal::Infinite { .. }) => {
            return Ok(match decimal::compare(me, &one) {
                Some(std::cmp::Ordering::Equal) => one,
                Some(order) if order.is_gt() == grows => Decimal::Infinite { negative: false },
                _ => Decimal::Zero { negative: false },
            });
        }
        _ => {}
    }
    let (Decimal::Finite(base), Decimal::Finite(_)) = (me, by) else { return Ok(Decimal::Nan) };
    let digits = wanted.max(DIGITS);
    let mode = modes::rounding();
    let logarithm = decimal::logarithm(base, digits + 25, mode);
    let product = or_raise(cx, decimal::multiply(&logarithm, by))?;
    match product.finite() {
        Some(product) => or_raise(cx, decimal::exponential(product, digits, mode)),
        None => Ok(one),
    }
}

/// The number and the digits that are passed to BigMath's functions.
fn arguments(cx: &mut Cx, args: Args) -> R<(Decimal, u64)> {
    let wanted = convert::to_i64(cx, args.at(1))?;
    if wanted <= 0 {
        return Err(cx.argument_error("Zero or negative precision for exponential"));
    }
    let zero = Decimal::Zero { negative: false };
    let v = args.at(0);
    let number = match kind(v) {
        Kind::Rational => Some(value::of_rational(v, wanted as u64 + 10, modes::rounding())),
        Kind::Complex => None,
        _ => operand(&zero, v),
    };
    match number {
        Some(number) => Ok((number, wanted as u64)),
        None => {
            let shown = runtime::call::inspect_text(cx, v)?;
            Err(cx.argument_error(&format!("{shown} can't be coerced into BigDecimal")))
        }
    }
}

/// `BigMath.exp(number, digits) → bigdecimal`: e to the power of the number, to `digits` digits. ArgumentError unless
/// digits are positive.
pub fn exp(cx: &mut Cx, args: Args) -> R {
    let (number, digits) = arguments(cx, args)?;
    let result = match &number {
        Decimal::Nan => Decimal::Nan,
        Decimal::Infinite { negative: false } => number,
        Decimal::Infinite { .. } => Decimal::Zero { negative: false },
        Decimal::Zero { .. } => Decimal::from_integer(Int::Fix(1)),
        Decimal::Finite(finite) => or_raise(cx, decimal::exponential(finite, digits, modes::rounding()))?,
    };
    give(cx, result)
}

/// `BigMath.log(number, digits) → bigdecimal`: the natural logarithm to `digits` digits. Math::DomainError unless the
/// number is positive.
pub fn log(cx: &mut Cx, args: Args) -> R {
    let (number, digits) = arguments(cx, args)?;
    let result = match &number {
        Decimal::Nan | Decimal::Infinite { negative: false } => number,
        _ if number.is_negative() || number.is_zero() => {
            return Err(cx.raise(ErrorClass::MathDomainError, "Zero or negative argument for log"));
        }
        Decimal::Finite(finite) => logarithm(finite, digits),
        _ => Decimal::Nan,
    };
    give(cx, result)
}

fn logarithm(finite: &Finite, digits: u64) -> Decimal {
    decimal::logarithm(finite, digits, modes::rounding())
}
