//! Order and equality.

use std::cmp::Ordering;

use numeric::big;
use object::{float, hash};
use runtime::{Args, Cx, R, Value, sym};

use crate::numeric::{
    coerce,
    ops::{Kind, int, kind},
};

/// The order of an Integer and another number; `None` for NaN.
#[inline]
fn order(a: Value, b: Value) -> Option<Ordering> {
    if a.both_fixnum(b) {
        return Some(a.fixnum_value().cmp(&b.fixnum_value()));
    }
    match float::get(b) {
        Some(f) => big::cmp_f64(int(&a), f),
        None => Some(big::cmp(int(&a), int(&b))),
    }
}

/// `a == b`
#[inline]
pub fn equal(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    match kind(b) {
        Kind::Integer | Kind::Float => Ok(order(a, b) == Some(Ordering::Equal)),
        _ => coerce::equal(cx, a, b),
    }
}

/// `a <=> b`; nil if they have no order.
#[inline]
pub fn compare(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Integer | Kind::Float => Ok(order(a, b).map_or(Value::NIL, |o| Value::fixnum(o as i64))),
        _ => coerce::compare(cx, a, b),
    }
}

macro_rules! relations {
    ($($(#[$documentation:meta])* $name:ident $sym:ident $method:ident;)*) => {$(
        $(#[$documentation])*
        pub fn $name(cx: &mut Cx, args: Args) -> R {
            let (a, b) = (args.me(), args.at(0));
            match kind(b) {
                Kind::Integer | Kind::Float => Ok(Value::bool(order(a, b).is_some_and(Ordering::$method))),
                _ => coerce::relation(cx, a, sym::$sym, b),
            }
        }
    )*};
}

relations! {
    /// `self < other → true or false`: whether the receiver is less; also exact with floats. ArgumentError for an
    /// object without a suitable `coerce`.
    less LESS is_lt;
    /// `self <= other → true or false`: whether the receiver is less or equal; also exact with floats. ArgumentError
    /// for an object without a suitable `coerce`.
    less_equal LESS_EQUAL is_le;
    /// `self > other → true or false`: whether the receiver is greater; also exact with floats. ArgumentError for an
    /// object without a suitable `coerce`.
    greater GREATER is_gt;
    /// `self >= other → true or false`: whether the receiver is greater or equal; also exact with floats. ArgumentError
    /// for an object without a suitable `coerce`.
    greater_equal GREATER_EQUAL is_ge;
}

/// A hash as the fixnum that Ruby sees.
pub fn hash_value(hash: u64) -> Value {
    Value::fixnum(hash::number_of(hash))
}
