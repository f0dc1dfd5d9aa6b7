//! Equality, and order of complex numbers on the real axis.

use runtime::{Args, Cx, R, Value, call, keys, sym};

use super::{is_real, parts};
use crate::integer::hash_value;
use crate::numeric::{
    coerce,
    ops::{self, Kind, is_exact_zero, kind},
};

/// `==(other) → true or false`: both parts equal; a real `other` equals a number whose imaginary part is zero. Other
/// objects are compared by their own `==`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    let (re, im) = parts(a);
    let answer = if kind(b) == Kind::Complex {
        let (bre, bim) = parts(b);
        // Not `call::equal`: a NaN is not equal to itself.
        call::send(cx, re, sym::EQ, &[bre])?.truthy() && call::send(cx, im, sym::EQ, &[bim])?.truthy()
    } else if is_real(cx, b)? {
        call::send(cx, re, sym::EQ, &[b])?.truthy() && ops::is_zero(cx, im)?
    } else {
        coerce::equal(cx, a, b)?
    };
    Ok(Value::bool(answer))
}

/// `self <=> other → -1, 0, 1 or nil`: compares the real parts; nil unless both imaginary parts are zero.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    if !object::class::is_known(cx, b, runtime::Known::Numeric) {
        return coerce::compare(cx, a, b);
    }
    let (re, im) = parts(a);
    if !ops::is_zero(cx, im)? {
        return Ok(Value::NIL);
    }
    if kind(b) == Kind::Complex {
        let (bre, bim) = parts(b);
        return if ops::is_zero(cx, bim)? { call::send(cx, re, sym::COMPARE, &[bre]) } else { Ok(Value::NIL) };
    }
    if is_real(cx, b)? { call::send(cx, re, sym::COMPARE, &[b]) } else { coerce::compare(cx, a, b) }
}

/// `eql?(other) → true or false`: whether `other` is a Complex with equal parts of the same classes.
pub fn eql(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    if kind(b) != Kind::Complex {
        return Ok(Value::FALSE);
    }
    let ((re, im), (bre, bim)) = (parts(a), parts(b));
    let same = |cx: &mut Cx, x: Value, y: Value| object::class::real_class(cx, x) == object::class::real_class(cx, y);
    Ok(Value::bool(same(cx, re, bre) && same(cx, im, bim) && call::equal(cx, re, bre)? && call::equal(cx, im, bim)?))
}

/// `hash → integer`: equal for numbers whose parts are `eql?`, so that 1 and 1.0 as a part differ.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let (re, im) = parts(args.me());
    let (re, im) = (keys::hash_of(cx, re)?, keys::hash_of(cx, im)?);
    Ok(hash_value(object::hash::mix(cx, re.rotate_left(13) ^ im ^ 0x1357)))
}

/// `finite? → true or false`: whether no part is an infinite Float or NaN.
pub fn finite(cx: &mut Cx, args: Args) -> R {
    let (re, im) = parts(args.me());
    let finite = |v: Value| kind(v) != Kind::Float || ops::real(v).is_finite();
    let _ = cx;
    Ok(Value::bool(finite(re) && finite(im)))
}

/// `infinite? → 1 or nil`: 1 if a part is an infinite Float.
pub fn infinite(_: &mut Cx, args: Args) -> R {
    let (re, im) = parts(args.me());
    let infinite = |v: Value| kind(v) == Kind::Float && ops::real(v).is_infinite();
    Ok(if infinite(re) || infinite(im) { Value::fixnum(1) } else { Value::NIL })
}

/// Whether the number is equal to its real part.
pub fn has_no_imaginary_part(v: Value) -> bool {
    is_exact_zero(parts(v).1)
}
