//! The coercion protocol: `other.coerce(self)` returns two values of compatible classes.

use object::{array::Arr, cell};
use runtime::{Cx, R, Sym, Unwind, Value, call, convert, error, recursion, sym};

/// `a op b` by coercion; TypeError "nil can't be coerced into Integer".
#[cold]
pub fn binary(cx: &mut Cx, a: Value, op: Sym, b: Value) -> R {
    let (x, y) = coerced(cx, a, b)?;
    call::send(cx, x, op, &[y])
}

/// The two values returned by `b.coerce(a)`.
pub fn coerced(cx: &mut Cx, a: Value, b: Value) -> R<(Value, Value)> {
    match call::send_conversion(cx, b, sym::COERCE, &[a])? {
        None => Err(failed(cx, a, b)),
        Some(pair) => two(cx, pair),
    }
}

/// TypeError "String can't be coerced into Integer".
#[cold]
pub fn failed(cx: &mut Cx, a: Value, b: Value) -> Unwind {
    let shown = if b.is_immediate() || convert::is_float(b) || cell::is(b, abi::Type::Symbol) {
        match call::inspect_text(cx, b) {
            Ok(text) => text,
            Err(unwind) => return unwind,
        }
    } else {
        error::class_name_of(cx, b)
    };
    let into = error::class_name_of(cx, a);
    cx.type_error(&format!("{shown} can't be coerced into {into}"))
}

fn two(cx: &mut Cx, pair: Value) -> R<(Value, Value)> {
    match Arr::from_value(pair).map(|a| (a.len(), a.get(0), a.get(1))) {
        Some((2, Some(x), Some(y))) => Ok((x, y)),
        _ => Err(cx.type_error("coerce must return [x, y]")),
    }
}

/// `coerced` for comparisons: `None` if `b` has no `coerce` or it returns nil.
fn for_comparison(cx: &mut Cx, a: Value, b: Value) -> R<Option<(Value, Value)>> {
    match call::send_conversion(cx, b, sym::COERCE, &[a])? {
        None => Ok(None),
        Some(pair) if pair.is_nil() => Ok(None),
        Some(pair) => two(cx, pair).map(Some),
    }
}

/// `a <=> b` by coercion, otherwise nil.
#[cold]
pub fn compare(cx: &mut Cx, a: Value, b: Value) -> R {
    match for_comparison(cx, a, b)? {
        None => Ok(Value::NIL),
        Some((x, y)) => call::send(cx, x, sym::COMPARE, &[y]),
    }
}

/// `a < b` etc.; ArgumentError "comparison of Integer with nil failed".
#[cold]
pub fn relation(cx: &mut Cx, a: Value, op: Sym, b: Value) -> R {
    if let Some((x, y)) = for_comparison(cx, a, b)? {
        let result = call::send(cx, x, op, &[y])?;
        if !result.is_nil() {
            return Ok(result);
        }
    }
    Err(call::comparison_failed(cx, a, b))
}

/// `a & b` etc., guarded against operands whose `coerce` methods call each other.
#[cold]
pub fn bitwise(cx: &mut Cx, a: Value, op: Sym, b: Value) -> R {
    let (x, y) = coerced(cx, a, b)?;
    match recursion::guard(cx, op, y, x, |cx| call::send_conversion(cx, x, op, &[y]))? {
        Some(Some(result)) if !result.is_nil() => Ok(result),
        _ => Err(failed(cx, a, b)),
    }
}

/// `b == a`, for an `a` that does not support the class of `b`.
#[cold]
pub fn equal(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    if a == b {
        return Ok(true);
    }
    let answer = recursion::guard(cx, sym::EQ, a, b, |cx| call::send(cx, b, sym::EQ, &[a]))?;
    Ok(answer.is_some_and(Value::truthy))
}
