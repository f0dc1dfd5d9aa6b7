//! Comparable: operators defined by `<=>`.

use std::cmp::Ordering;

use abi::Value;
use object::Known;
use runtime::{Args, Cx, Method, R, call, define, error, recursion, sym};

pub const METHODS: &[Method] = &[
    Method::new("==(other)", equal).borrows(0).borrows_receiver(),
    Method::new(">(other)", greater).borrows(0).borrows_receiver(),
    Method::new(">=(other)", greater_equal).borrows(0).borrows_receiver(),
    Method::new("<(other)", less).borrows(0).borrows_receiver(),
    Method::new("<=(other)", less_equal).borrows(0).borrows_receiver(),
    Method::new("between?(min, max)", between).borrows(0).borrows(1).borrows_receiver(),
    Method::new("clamp(min, max = nil)", clamp),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "Comparable");
    cx.set_root(runtime::Root::Comparable, module);
    define::define_methods(cx, module, METHODS);
}

/// `==(other) → true or false`: whether both are the same object, or `<=>` returns 0. A recursive comparison counts as
/// unequal.
fn equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    let result = recursion::guard(cx, sym::COMPARE, me, other, |cx| call::send(cx, me, sym::COMPARE, &[other]))?;
    match result {
        None => Ok(Value::FALSE),
        Some(Value::NIL) => Ok(Value::FALSE),
        Some(result) => Ok(Value::bool(call::comparison_result(cx, result, me, other)? == Ordering::Equal)),
    }
}

fn order(cx: &mut Cx, a: Value, b: Value) -> R<Ordering> {
    call::compare(cx, a, b)
}

/// `self > other → true or false`: whether `<=>` returns more than 0. ArgumentError if it returns nil; the same holds
/// for the other operators.
fn greater(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(order(cx, args.me(), args.at(0))?.is_gt()))
}

/// `self >= other → true or false`: whether `<=>` returns 0 or more. ArgumentError if it returns nil.
fn greater_equal(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(order(cx, args.me(), args.at(0))?.is_ge()))
}

/// `self < other → true or false`: whether `<=>` returns less than 0. ArgumentError if it returns nil.
fn less(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(order(cx, args.me(), args.at(0))?.is_lt()))
}

/// `self <= other → true or false`: whether `<=>` returns 0 or less. ArgumentError if it returns nil.
fn less_equal(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(order(cx, args.me(), args.at(0))?.is_le()))
}

/// `between?(min, max) → true or false`: whether the receiver is at least `min` and at most `max` by `<=>`.
/// ArgumentError if it returns nil.
fn between(cx: &mut Cx, args: Args) -> R {
    let (me, min, max) = (args.me(), args.at(0), args.at(1));
    Ok(Value::bool(order(cx, me, min)?.is_ge() && order(cx, me, max)?.is_le()))
}

/// `clamp(min, max)`, `clamp(range) → object`: the receiver, or the bound that it exceeds; nil means no bound.
/// ArgumentError if `min` is above `max` or the range excludes its end.
fn clamp(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let (min, max) = match args.opt(1) {
        Some(max) => (args.at(0), max),
        None => {
            let bounds = args.at(0);
            let Some((begin, end, is_exclusive)) = crate::range::ends::of(cx, bounds)? else {
                let class = error::describe_for_conversion(cx, bounds);
                return Err(cx.type_error(&format!("wrong argument type {class} (expected Range)")));
            };
            if is_exclusive && !end.is_nil() {
                return Err(cx.argument_error("cannot clamp with an exclusive range"));
            }
            (begin, end)
        }
    };
    if !min.is_nil() && !max.is_nil() && order(cx, min, max)?.is_gt() {
        return Err(cx.argument_error("min argument must be less than or equal to max argument"));
    }
    if !min.is_nil() {
        let below = order(cx, me, min)?;
        if below.is_eq() {
            return Ok(me);
        }
        if below.is_lt() {
            return Ok(min);
        }
    }
    if !max.is_nil() && order(cx, me, max)?.is_gt() {
        return Ok(max);
    }
    Ok(me)
}
