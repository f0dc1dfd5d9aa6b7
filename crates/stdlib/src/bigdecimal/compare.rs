//! Order, equality, and predicates.

use core_classes::numeric::{
    coerce as protocol,
    ops::{Kind, int, kind},
};
use core_classes::rational;
use numeric::decimal::{self, Decimal};
use object::string::hash_bytes;
use runtime::{Args, Cx, R, Sym, Value, call, error, make, sym};
use std::cmp::Ordering;

use super::value::{self, of, operand, or_raise};

/// The order of two numbers: the outer `None` if `other` must be coerced, the inner one if a number is NaN. Fractions
/// are compared exactly.
fn order(cx: &mut Cx, me: &Decimal, other: Value) -> R<Option<Option<Ordering>>> {
    if kind(other) == Kind::Rational && me.finite().is_some() {
        let (numerator, denominator) = rational::parts(other);
        let (numerator, denominator) =
            (Decimal::from_integer(int(&numerator)), Decimal::from_integer(int(&denominator)));
        let scaled = or_raise(cx, decimal::multiply(me, &denominator))?;
        return Ok(Some(decimal::compare(&scaled, &numerator)));
    }
    Ok(operand(me, other).map(|other| decimal::compare(me, &other)))
}

/// `self <=> other → -1, 0, 1 or nil`: the order of numbers of any classes; nil for NaN. Other objects are converted by
/// `coerce`; nil if that gives no order.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    match order(cx, me, args.at(0))? {
        Some(Some(order)) => Ok(Value::fixnum(order as i64)),
        Some(None) => Ok(Value::NIL),
        None => protocol::compare(cx, args.me(), args.at(0)),
    }
}

/// `==(other) → true or false`: whether the values are equal, for any class of numbers; NaN equals nothing. Other
/// objects are compared by their own `==`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    match order(cx, me, args.at(0))? {
        Some(order) => Ok(Value::bool(order == Some(Ordering::Equal))),
        None if args.at(0).is_immediate() => Ok(Value::FALSE),
        None => Ok(Value::bool(call::equal(cx, args.at(0), args.me())?)),
    }
}

fn relation(cx: &mut Cx, args: Args, operator: Sym, holds: fn(Ordering) -> bool) -> R {
    let me = of(cx, args.me_ref())?;
    match order(cx, me, args.at(0))? {
        Some(order) => Ok(Value::bool(order.is_some_and(holds))),
        None => protocol::relation(cx, args.me(), operator, args.at(0)),
    }
}

/// `self < other → true or false`: always false for NaN. ArgumentError for an object without a suitable `coerce`.
pub fn less(cx: &mut Cx, args: Args) -> R {
    relation(cx, args, sym::LESS, Ordering::is_lt)
}

/// `self <= other → true or false`: always false for NaN. ArgumentError for an object without a suitable `coerce`.
pub fn less_or_equal(cx: &mut Cx, args: Args) -> R {
    let operator = object::symbol::table::intern_text(cx, "<=");
    relation(cx, args, operator, Ordering::is_le)
}

/// `self > other → true or false`: always false for NaN. ArgumentError for an object without a suitable `coerce`.
pub fn greater(cx: &mut Cx, args: Args) -> R {
    relation(cx, args, sym::GREATER, Ordering::is_gt)
}

/// `self >= other → true or false`: always false for NaN. ArgumentError for an object without a suitable `coerce`.
pub fn greater_or_equal(cx: &mut Cx, args: Args) -> R {
    let operator = object::symbol::table::intern_text(cx, ">=");
    relation(cx, args, operator, Ordering::is_ge)
}

/// `hash → integer`: the same for BigDecimals that are equal.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let text = match me {
        Decimal::Finite(finite) => format!("{}{}e{}", me.is_negative(), finite.digits(), finite.exponent()),
        Decimal::Zero { .. } => "0".into(),
        other => format!("{other:?}"),
    };
    let hash = hash_bytes(cx, text.as_bytes());
    Ok(Value::fixnum((hash >> 2) as i64))
}

/// `coerce(other) → [bigdecimal, self]`: both as BigDecimal. TypeError unless `other` is a number.
pub fn coerce(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    match operand(me, args.at(0)) {
        Some(other) => {
            let other = value::new(cx, other);
            Ok(make::array(cx, &[other, args.me()]))
        }
        None => {
            let name = error::describe_for_conversion(cx, args.at(0));
            Err(cx.type_error(&format!("{name} can't be coerced into BigDecimal")))
        }
    }
}

/// `nan? → true or false`: whether it is the result of an undefined operation, "not a number".
pub fn is_nan(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(of(cx, args.me_ref())?.is_nan()))
}

/// `infinite? → 1, -1 or nil`: the sign of an infinity; nil for any other number.
pub fn infinite(cx: &mut Cx, args: Args) -> R {
    Ok(match of(cx, args.me_ref())? {
        Decimal::Infinite { negative } => Value::fixnum(if *negative { -1 } else { 1 }),
        _ => Value::NIL,
    })
}

/// `finite? → true or false`: whether it is neither NaN nor an infinity.
pub fn is_finite(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(!matches!(of(cx, args.me_ref())?, Decimal::Nan | Decimal::Infinite { .. })))
}

/// `zero? → true or false`: whether it is 0 or -0.
pub fn is_zero(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(of(cx, args.me_ref())?.is_zero()))
}

/// `nonzero? → self or nil`: nil for 0 and -0.
pub fn nonzero(cx: &mut Cx, args: Args) -> R {
    Ok(if of(cx, args.me_ref())?.is_zero() { Value::NIL } else { args.me() })
}

/// `sign → integer`: one of the constants SIGN_NaN, SIGN_POSITIVE_ZERO, SIGN_NEGATIVE_FINITE and so on.
pub fn sign(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let size = match me {
        Decimal::Nan => 0,
        Decimal::Zero { .. } => 1,
        Decimal::Finite(_) => 2,
        Decimal::Infinite { .. } => 3,
    };
    Ok(Value::fixnum(if me.is_negative() { -size } else { size }))
}
