//! Equality, order, hash.

use std::cmp::Ordering;

use abi::Value;
use object::string::Str;
use runtime::{Args, Cx, R, call, convert, sym};
use text::case;

use super::modify::compatible;

/// `==(other) → true or false`: whether `other` is a String with the same bytes in a comparable encoding; an object
/// with `to_str` is compared by its own `==`. Alias: `===`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    let other = args.at(0);
    if let Some(other) = Str::from_value(other) {
        return Ok(Value::bool(Str::of(args.me()).equal(other)));
    }
    if !call::responds(cx, other, sym::TO_STR, false)? {
        return Ok(Value::FALSE);
    }
    Ok(Value::bool(call::equal(cx, other, args.me())?))
}

/// `eql?(other) → true or false`: whether `other` is a String with the same bytes in a comparable encoding; `to_str` is
/// not called.
pub fn eql(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(Str::from_value(args.at(0)).is_some_and(|other| Str::of(args.me()).equal(other))))
}

/// `hash → integer`: equal for strings that are `eql?`, and different in each process.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let hash = Str::of(args.me()).hash(cx);
    Ok(Value::fixnum((hash as i64) >> 2))
}

/// `self <=> other → -1, 0, 1 or nil`: by bytes, then length, then encoding. Any other object is compared by its own
/// `<=>`; nil if it has none.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let other = args.at(0);
    if let Some(other) = Str::from_value(other) {
        return Ok(ordering(Str::of(args.me()).compare(other)));
    }
    if let Some(other) = if other.is_heap() { convert::try_str(cx, other)? } else { None } {
        return Ok(ordering(Str::of(args.me()).compare(other)));
    }
    // The object's own comparison returns the reversed result.
    if !other.is_heap() || !call::has_method(cx, other, sym::COMPARE) {
        return Ok(Value::NIL);
    }
    let me = args.me();
    let result =
        runtime::recursion::guard(cx, sym::COMPARE, me, other, |cx| call::send(cx, other, sym::COMPARE, &[me]))?;
    let Some(result) = result.filter(|result| !result.is_nil()) else { return Ok(Value::NIL) };
    let zero = Value::fixnum(0);
    if call::send(cx, result, sym::GREATER, &[zero])?.truthy() {
        return Ok(Value::fixnum(-1));
    }
    Ok(Value::fixnum(call::send(cx, result, sym::LESS, &[zero])?.truthy() as i64))
}

pub fn ordering(order: Ordering) -> Value {
    Value::fixnum(order as i64)
}

/// `casecmp(other) → -1, 0, 1 or nil`: like `<=>`, ignoring the case of ASCII letters; nil for anything but a String,
/// and for incompatible encodings.
pub fn casecmp(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let Some(other) = convert::try_str(cx, args.at(0))? else { return Ok(Value::NIL) };
    let Some(encoding) = s.compatible(other) else { return Ok(Value::NIL) };
    Ok(ordering(case::casecmp(encoding, s.bytes(cx), other.bytes(cx))))
}

/// `casecmp?(other) → true, false or nil`: whether both are equal after Unicode case folding; nil for anything but a
/// String, and for incompatible encodings.
pub fn casecmp_p(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let Some(other) = convert::try_str(cx, args.at(0))? else { return Ok(Value::NIL) };
    if s.compatible(other).is_none() {
        return Ok(Value::NIL);
    }
    super::case::check_not_dummy(cx, s)?;
    super::case::check_not_dummy(cx, other)?;
    let side = |s: &Str| (s.encoding(), s.code_range());
    let (a, b) = (side(&s), side(&other));
    match case::casecmp_p((a.0, s.bytes(cx), a.1), (b.0, other.bytes(cx), b.1)) {
        Ok(same) => Ok(Value::bool(same)),
        Err(_) => Err(cx.argument_error("input string invalid")),
    }
}

/// `include?(other) → true or false`: whether the bytes of `other` occur in the receiver. TypeError unless `other` is a
/// String or has `to_str`, Encoding::CompatibilityError for incompatible encodings.
pub fn include(cx: &mut Cx, args: Args) -> R {
    let (s, other) = (Str::of(args.me()), super::modify::argument(cx, args.at(0))?);
    compatible(cx, s, other)?;
    Ok(Value::bool(super::search::occurrence(cx, s, other, 0).is_some()))
}
