//! Order and equality.

use std::cmp::Ordering;

use numeric::big;
use object::{float, hash};
use runtime::{Args, Cx, R, Value, call, sym};

use crate::integer::hash_value;
use crate::numeric::{
    coerce,
    ops::{self, Kind, int, kind},
};

/// The order of a Float and another number; `None` with NaN.
#[inline]
fn order(a: f64, b: Value) -> Option<Ordering> {
    match float::get(b) {
        Some(b) => a.partial_cmp(&b),
        None => big::cmp_f64(int(&b), a).map(Ordering::reverse),
    }
}

/// `==(other) → true or false`: whether the values are equal; an Integer is compared exactly, not as a Float. Other
/// objects are compared by their own `==`. Alias: `===`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    match kind(b) {
        Kind::Integer | Kind::Float => Ok(Value::bool(order(float::value(a), b) == Some(Ordering::Equal))),
        _ => Ok(Value::bool(coerce::equal(cx, a, b)?)),
    }
}

/// `self <=> other → -1, 0, 1 or nil`: exact with integers; nil for NaN. An infinity is compared with any object that
/// has `infinite?`; other objects are converted by `coerce`.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    let x = float::value(a);
    match kind(b) {
        Kind::Integer | Kind::Float => Ok(order(x, b).map_or(Value::NIL, |o| Value::fixnum(o as i64))),
        _ if x.is_infinite() => {
            let infinite = ops::name(cx, "infinite?");
            let Some(answer) = call::send_if_responds(cx, b, infinite, &[])? else {
                return coerce::compare(cx, a, b);
            };
            let own = if x > 0.0 { 1 } else { -1 };
            if !answer.truthy() {
                return Ok(Value::fixnum(own));
            }
            let other = call::comparison_result(cx, answer, a, b)?;
            let same = other == if x > 0.0 { Ordering::Greater } else { Ordering::Less };
            Ok(Value::fixnum(if same { 0 } else { own }))
        }
        _ => coerce::compare(cx, a, b),
    }
}

macro_rules! relations {
    ($($(#[$documentation:meta])* $name:ident $sym:ident $method:ident;)*) => {$(
        $(#[$documentation])*
        pub fn $name(cx: &mut Cx, args: Args) -> R {
            let (a, b) = (args.me(), args.at(0));
            match kind(b) {
                Kind::Integer | Kind::Float => {
                    Ok(Value::bool(order(float::value(a), b).is_some_and(Ordering::$method)))
                }
                _ => coerce::relation(cx, a, sym::$sym, b),
            }
        }
    )*};
}

relations! {
    /// `self < other → true or false`: whether the receiver is less; always false for NaN. ArgumentError for an object
    /// without a suitable `coerce`.
    less LESS is_lt;
    /// `self <= other → true or false`: whether the receiver is less or equal; always false for NaN. ArgumentError for
    /// an object without a suitable `coerce`.
    less_equal LESS_EQUAL is_le;
    /// `self > other → true or false`: whether the receiver is greater; always false for NaN. ArgumentError for an
    /// object without a suitable `coerce`.
    greater GREATER is_gt;
    /// `self >= other → true or false`: whether the receiver is greater or equal; always false for NaN. ArgumentError
    /// for an object without a suitable `coerce`.
    greater_equal GREATER_EQUAL is_ge;
}

/// `eql?(other) → true or false`: whether `other` is a Float of the same value; 1 is not `eql?` to 1.0, and NaN is not
/// `eql?` to itself.
pub fn eql(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(float::get(args.at(0)).is_some_and(|b| b == float::value(args.me()))))
}

/// `hash → integer`: equal for floats that are `eql?`; 0.0 and -0.0 have the same hash.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    Ok(hash_value(hash::builtin_hash(cx, args.me()).unwrap_or(0)))
}

/// `infinite? → -1, 1 or nil`: the sign of an infinity; nil for any other number.
pub fn infinite(_: &mut Cx, args: Args) -> R {
    let f = float::value(args.me());
    Ok(match f.is_infinite() {
        false => Value::NIL,
        true => Value::fixnum(if f > 0.0 { 1 } else { -1 }),
    })
}
