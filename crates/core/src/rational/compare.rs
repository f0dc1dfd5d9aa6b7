//! Order and equality.

use numeric::big::{self, Int};
use object::{float, hash};
use runtime::{Args, Cx, R, Value};

use super::{parts, to_f64};
use crate::integer::hash_value;
use crate::numeric::{
    coerce,
    ops::{self, Kind, int, kind},
};

/// `self <=> other → -1, 0, 1 or nil`: with a Float both are compared as floats. Other objects are converted by
/// `coerce`, nil without an order.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    let (n, d) = parts(a);
    let order = match kind(b) {
        Kind::Integer => numeric::rational::cmp((int(&n), int(&d)), (int(&b), Int::Fix(1))),
        Kind::Rational => {
            let (bn, bd) = parts(b);
            numeric::rational::cmp((int(&n), int(&d)), (int(&bn), int(&bd)))
        }
        Kind::Float => {
            let order = to_f64(a).partial_cmp(&float::value(b));
            return Ok(order.map_or(Value::NIL, |o| Value::fixnum(o as i64)));
        }
        _ => return coerce::compare(cx, a, b),
    };
    match order {
        Ok(order) => Ok(Value::fixnum(order as i64)),
        Err(e) => Err(ops::raise(cx, e)),
    }
}

/// `==(other) → true or false`: whether the values are equal; with a Float both are compared as floats. Other objects
/// are compared by their own `==`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    let (n, d) = parts(a);
    Ok(Value::bool(match kind(b) {
        Kind::Integer => d == Value::fixnum(1) && big::eq(int(&n), int(&b)),
        Kind::Rational => {
            let (bn, bd) = parts(b);
            big::eq(int(&n), int(&bn)) && big::eq(int(&d), int(&bd))
        }
        Kind::Float => to_f64(a) == float::value(b),
        _ => coerce::equal(cx, a, b)?,
    }))
}

/// `hash → integer`: equal for rationals that are equal.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let (n, d) = parts(args.me());
    let (n, d) = (hash::builtin_hash(cx, n).unwrap_or(0), hash::builtin_hash(cx, d).unwrap_or(0));
    Ok(hash_value(hash::mix(cx, n.rotate_left(21) ^ d)))
}
