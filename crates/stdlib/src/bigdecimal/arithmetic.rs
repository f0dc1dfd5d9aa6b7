//! Sums, differences, products, quotients.

use core_classes::numeric::coerce;
use numeric::decimal::{self, Decimal, TooBig};
use object::symbol::table::intern_text;
use runtime::{Args, Cx, R, Value, convert, error::ErrorClass, make};

use super::{
    modes,
    value::{self, give, of, operand, or_raise},
};

/// Both operands, or the result of `other`'s coercion of `me`.
fn both<'a>(cx: &mut Cx, args: &'a Args, operator: &str) -> R<Result<(&'a Decimal, Decimal), Value>> {
    let me = of(cx, args.me_ref())?;
    match operand(me, args.at(0)) {
        Some(other) => Ok(Ok((me, other))),
        None => {
            let operator = intern_text(cx, operator);
            coerce::binary(cx, args.me(), operator, args.at(0)).map(Err)
        }
    }
}

macro_rules! operands {
    ($cx:expr, $args:expr, $operator:literal) => {
        match both($cx, &$args, $operator)? {
            Ok(operands) => operands,
            Err(result) => return Ok(result),
        }
    };
}

type Exact = fn(&Decimal, &Decimal) -> Result<Decimal, TooBig>;

fn difference(a: &Decimal, b: &Decimal) -> Result<Decimal, TooBig> {
    decimal::add(a, &b.clone().negated())
}

fn limited(cx: &mut Cx, args: Args, operator: &str, operation: Exact) -> R {
    match both(cx, &args, operator)? {
        Err(result) => Ok(result),
        Ok((a, b)) => {
            let result = or_raise(cx, operation(a, &b))?;
            give(cx, modes::limited(result))
        }
    }
}

/// `self + other → bigdecimal`: exact, unless `BigDecimal.limit` sets a number of digits. TypeError if `other` is no
/// number and has no `coerce`.
pub fn plus(cx: &mut Cx, args: Args) -> R {
    limited(cx, args, "+", decimal::add)
}

/// `self - other → bigdecimal`: exact, unless `BigDecimal.limit` sets a number of digits. TypeError if `other` is no
/// number and has no `coerce`.
pub fn minus(cx: &mut Cx, args: Args) -> R {
    limited(cx, args, "-", difference)
}

/// `self * other → bigdecimal`: exact, unless `BigDecimal.limit` sets a number of digits. TypeError if `other` is no
/// number and has no `coerce`.
pub fn times(cx: &mut Cx, args: Args) -> R {
    limited(cx, args, "*", decimal::multiply)
}

/// `self / other → bigdecimal`: the quotient to at least 32 digits. By 0 an infinity, or ZeroDivisionError if
/// `BigDecimal.mode` says so. TypeError if `other` is no number and has no `coerce`.
pub fn divide(cx: &mut Cx, args: Args) -> R {
    let (a, b) = operands!(cx, args, "/");
    if b.is_zero() && !a.is_nan() && !a.is_zero() {
        modes::check_zero_division(cx)?;
    }
    give(cx, modes::limited(decimal::divide(a, &b, modes::rounding())))
}

/// A number of digits as an argument; 0 means unlimited.
fn digits(cx: &mut Cx, v: Value) -> R<u64> {
    match u64::try_from(convert::to_i64(cx, v)?) {
        Ok(digits) => Ok(digits),
        Err(_) => Err(cx.argument_error("negative precision")),
    }
}

/// The result with the requested number of digits, ignoring the limit; 0 means unlimited.
fn rounded(cx: &mut Cx, args: Args, operator: &str, operation: Exact) -> R {
    let digits = digits(cx, args.at(1))?;
    if digits == 0 {
        return limited(cx, args, operator, operation);
    }
    match both(cx, &args, operator)? {
        Err(result) => Ok(result),
        Ok((a, b)) => {
            let result = or_raise(cx, operation(a, &b))?;
            give(cx, result.rounded_to_digits(digits, modes::rounding()))
        }
    }
}

/// `add(other, digits) → bigdecimal`: the sum rounded to `digits` digits by the current mode; 0 digits do not round.
/// ArgumentError for a negative number.
pub fn add(cx: &mut Cx, args: Args) -> R {
    rounded(cx, args, "+", decimal::add)
}

/// `sub(other, digits) → bigdecimal`: the difference rounded to `digits` digits by the current mode; 0 digits do not
/// round. ArgumentError for a negative number.
pub fn sub(cx: &mut Cx, args: Args) -> R {
    rounded(cx, args, "-", difference)
}

/// `mult(other, digits) → bigdecimal`: the product rounded to `digits` digits by the current mode; 0 digits do not
/// round. ArgumentError for a negative number.
pub fn mult(cx: &mut Cx, args: Args) -> R {
    rounded(cx, args, "*", decimal::multiply)
}

/// `quo(other, digits = nil) → bigdecimal`: the quotient rounded to `digits` digits; without digits, or with 0, like
/// `/`.
pub fn quo(cx: &mut Cx, args: Args) -> R {
    let wanted = match args.opt(1).filter(|v| !v.is_nil()) {
        Some(v) => digits(cx, v)?,
        None => 0,
    };
    if wanted == 0 {
        return divide(cx, args);
    }
    let (a, b) = operands!(cx, args, "/");
    if b.is_zero() && !a.is_nan() && !a.is_zero() {
        modes::check_zero_division(cx)?;
    }
    give(cx, decimal::divide_to_digits(a, &b, wanted, modes::rounding()))
}

/// `div(other) → integer`, `div(other, digits) → bigdecimal`: the quotient rounded down, or as `quo` rounds it.
/// FloatDomainError for NaN and infinities, ZeroDivisionError for 0.
pub fn div(cx: &mut Cx, args: Args) -> R {
    if args.opt(1).is_some_and(|v| !v.is_nil()) {
        return quo(cx, args);
    }
    let (a, b) = operands!(cx, args, "div");
    if a.is_nan() || b.is_nan() {
        return Err(value::not_finite(cx, &Decimal::Nan));
    }
    if matches!(a, Decimal::Infinite { .. }) {
        let nan = matches!(b, Decimal::Infinite { .. });
        let result =
            if nan { Decimal::Nan } else { Decimal::Infinite { negative: a.is_negative() != b.is_negative() } };
        return Err(value::not_finite(cx, &result));
    }
    if b.is_zero() {
        return Err(zero_division(cx));
    }
    let (Decimal::Finite(x), Decimal::Finite(y)) = (a, &b) else { return Ok(Value::fixnum(0)) };
    let (quotient, _) = or_raise(cx, decimal::floor_division(x, y))?;
    super::convert::integer(cx, &quotient)
}

fn zero_division(cx: &mut Cx) -> runtime::Unwind {
    cx.raise(ErrorClass::ZeroDivisionError, "divided by 0")
}

/// The quotient rounded down, and the remainder.
fn floor_division(cx: &mut Cx, a: &Decimal, b: &Decimal) -> R<(Decimal, Decimal)> {
    if a.is_nan() || b.is_nan() {
        return Ok((Decimal::Nan, Decimal::Nan));
    }
    if b.is_zero() {
        return Err(zero_division(cx));
    }
    match (a, b) {
        (Decimal::Infinite { negative }, Decimal::Finite(y)) => {
            let negative = *negative != Decimal::Finite(y.clone()).is_negative();
            Ok((Decimal::Infinite { negative }, Decimal::Nan))
        }
        (Decimal::Infinite { .. }, _) => Ok((Decimal::Nan, Decimal::Nan)),
        (Decimal::Finite(_), Decimal::Infinite { negative }) if a.is_negative() != *negative => {
            Ok((Decimal::from_integer(numeric::big::Int::Fix(-1)), b.clone()))
        }
        (_, Decimal::Infinite { .. }) => Ok((Decimal::Zero { negative: false }, a.clone())),
        (Decimal::Zero { .. }, _) => Ok((Decimal::Zero { negative: false }, Decimal::Zero { negative: false })),
        (Decimal::Finite(x), Decimal::Finite(y)) => or_raise(cx, decimal::floor_division(x, y)),
        _ => Ok((Decimal::Nan, Decimal::Nan)),
    }
}

/// `divmod(other) → [quotient, remainder]`: the quotient rounded down, and the remainder, which has the divisor's sign.
/// FloatDomainError for NaN and infinities, ZeroDivisionError for 0.
pub fn divmod(cx: &mut Cx, args: Args) -> R {
    let (a, b) = operands!(cx, args, "divmod");
    let (quotient, rest) = floor_division(cx, a, &b)?;
    let (quotient, rest) = (give(cx, quotient)?, give(cx, rest)?);
    Ok(make::array(cx, &[quotient, rest]))
}

/// `self % other → bigdecimal`: the remainder of the division rounded down, which has the sign of `other`.
/// ZeroDivisionError for 0.
pub fn modulo(cx: &mut Cx, args: Args) -> R {
    let (a, b) = operands!(cx, args, "%");
    let (_, rest) = floor_division(cx, a, &b)?;
    give(cx, rest)
}

/// `remainder(other) → bigdecimal`: the remainder of the division rounded towards zero, which has the sign of the
/// receiver. ZeroDivisionError for 0.
pub fn remainder(cx: &mut Cx, args: Args) -> R {
    let (a, b) = operands!(cx, args, "remainder");
    let result = match (a, &b) {
        (Decimal::Nan | Decimal::Infinite { .. }, _) | (_, Decimal::Nan) => Decimal::Nan,
        (_, Decimal::Infinite { .. }) => a.clone(),
        (_, Decimal::Zero { .. }) => return Err(zero_division(cx)),
        (Decimal::Zero { .. }, _) => a.clone(),
        (Decimal::Finite(x), Decimal::Finite(y)) => or_raise(cx, decimal::remainder(x, y))?,
    };
    give(cx, result)
}

/// `-self → bigdecimal`: the number with the opposite sign; zero and the infinities have signs, too.
pub fn negate(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?.clone();
    give(cx, me.negated())
}

/// `+self`, `clone`, `dup → self`: numbers never change, so that no copy is needed.
pub fn itself(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// `abs → bigdecimal`: the number without its sign.
pub fn abs(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?.clone();
    give(cx, me.with_sign(false))
}
