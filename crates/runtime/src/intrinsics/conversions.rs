//! Conversions and comparisons of the Ruby half of core classes.

use std::cmp::Ordering;

use abi::{Type, Value};
use object::{Sym, array::Arr, bigint, cell, class, float, hash::HashRef};

use super::folds;
use crate::{Cx, R, call, convert, sym};

pub fn check_frozen(cx: &mut Cx, [v]: [Value; 1]) -> R<()> {
    cx.check_frozen(v)
}

pub fn compare(cx: &mut Cx, [a, b]: [Value; 2]) -> R {
    Ok(ordering(call::compare(cx, a, b)?))
}

pub fn comparison_result(cx: &mut Cx, [result, a, b]: [Value; 3]) -> R {
    Ok(ordering(call::comparison_result(cx, result, a, b)?))
}

pub fn is_equal(cx: &mut Cx, [a, b]: [Value; 2]) -> R<bool> {
    call::equal(cx, a, b)
}

pub fn to_integer(cx: &mut Cx, [v]: [Value; 1]) -> R {
    convert::to_integer(cx, v)
}

pub fn to_long(cx: &mut Cx, [v]: [Value; 1]) -> R {
    let n = convert::to_i64(cx, v)?;
    Ok(bigint::from_i64(cx, n))
}

pub fn to_float(cx: &mut Cx, [v]: [Value; 1]) -> R {
    let f = number(cx, v)?;
    Ok(float::new(cx, f))
}

pub fn to_array(cx: &mut Cx, [v]: [Value; 1]) -> R {
    convert::to_ary(cx, v).map(Arr::value)
}

pub fn try_array(cx: &mut Cx, [v]: [Value; 1]) -> R {
    Ok(convert::try_ary(cx, v)?.map_or(Value::NIL, Arr::value))
}

pub fn to_hash(cx: &mut Cx, [v]: [Value; 1]) -> R {
    convert::to_hash(cx, v).map(HashRef::value)
}

pub fn to_symbol(cx: &mut Cx, [v]: [Value; 1]) -> R {
    Ok(convert::to_symbol(cx, v)?.value())
}

pub fn is_array(_: &mut Cx, [v]: [Value; 1]) -> bool {
    cell::is(v, Type::Array)
}

pub fn is_hash(_: &mut Cx, [v]: [Value; 1]) -> bool {
    cell::is(v, Type::Hash)
}

pub fn is_integer(_: &mut Cx, [v]: [Value; 1]) -> bool {
    convert::is_integer(v)
}

pub fn is_float(_: &mut Cx, [v]: [Value; 1]) -> bool {
    convert::is_float(v)
}

pub fn is_real(_: &mut Cx, [v]: [Value; 1]) -> bool {
    convert::is_integer(v) || convert::is_float(v) || cell::is(v, Type::Rational)
}

pub fn is_string(_: &mut Cx, [v]: [Value; 1]) -> bool {
    cell::is(v, Type::String)
}

pub fn is_range(_: &mut Cx, [v]: [Value; 1]) -> bool {
    cell::is(v, Type::Range)
}

pub fn is_symbol(_: &mut Cx, [v]: [Value; 1]) -> bool {
    Sym::from_value(v).is_some()
}

pub fn is_proc(_: &mut Cx, [v]: [Value; 1]) -> bool {
    cell::is(v, Type::Proc)
}

pub fn is_kind_of(cx: &mut Cx, [v, module]: [Value; 2]) -> bool {
    class::is_a(cx, v, module)
}

pub fn sum(cx: &mut Cx, [a, b]: [Value; 2]) -> R {
    folds::add(cx, a, b)
}

pub fn public_sum(cx: &mut Cx, [a, b]: [Value; 2]) -> R {
    match folds::add_numbers(cx, a, b) {
        Some(sum) => Ok(sum),
        None => call::send_public(cx, a, sym::PLUS, &[b]),
    }
}

pub fn class_of(cx: &mut Cx, [v]: [Value; 1]) -> Value {
    class::real_class(cx, v)
}

pub fn responds(cx: &mut Cx, [v, name, private]: [Value; 3]) -> R<bool> {
    call::responds(cx, v, Sym::of(name), private.truthy())
}

pub fn float_step_size(cx: &mut Cx, [begin, end, step, exclusive]: [Value; 4]) -> R {
    let n = steps(number(cx, begin)?, number(cx, end)?, number(cx, step)?, exclusive.truthy());
    if n.is_infinite() {
        return Ok(float::new(cx, n));
    }
    convert::float_to_integer(cx, n)
}

pub fn float_to_ordered(cx: &mut Cx, [v]: [Value; 1]) -> R {
    let bits = convert::to_f64(cx, v)?.to_bits() as i64;
    let ordered = if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits };
    Ok(bigint::from_i64(cx, ordered))
}

pub fn ordered_to_float(cx: &mut Cx, [v]: [Value; 1]) -> R {
    let ordered = convert::to_i64(cx, v)?;
    let bits = if ordered < 0 { i64::MIN.wrapping_sub(ordered) } else { ordered };
    Ok(float::new(cx, f64::from_bits(bits as u64)))
}

fn ordering(o: Ordering) -> Value {
    Value::fixnum(o as i64)
}

/// A number as a Float, with messages that differ from those of `convert`.
fn number(cx: &mut Cx, v: Value) -> R<f64> {
    if cell::is(v, Type::String) {
        return Err(cx.type_error("no implicit conversion to float from string"));
    }
    convert::to_f64(cx, v)
}

/// The number of steps of `unit` from `from` to `to`, tolerating rounding errors.
fn steps(from: f64, to: f64, unit: f64, exclusive: bool) -> f64 {
    let n = (to - from) / unit;
    let error = (from.abs() + to.abs() + (to - from).abs()) / unit.abs() * f64::EPSILON;
    if unit == 0.0 {
        return f64::INFINITY;
    }
    if unit.is_infinite() {
        return if if unit > 0.0 { from <= to } else { from >= to } { 1.0 } else { 0.0 };
    }
    let error = error.min(0.5);
    if exclusive {
        if n <= 0.0 {
            return 0.0;
        }
        let d = if n < 1.0 { 0.0 } else { (n - error).floor() };
        let next = (d + 1.0) * unit + from;
        return if (from < to && next < to) || (from > to && next > to) { d + 2.0 } else { d + 1.0 };
    }
    if n < 0.0 {
        return 0.0;
    }
    (n + error).floor() + 1.0
}
