//! Guarding against structures that contain themselves.

use abi::Value;
use object::array::Arr;

use crate::{Cx, R, Sym, make};

/// Calls `body` unless it is already running for the same method and object (and second operand, for binary methods);
/// in that case returns `None`. The active pairs are in an Array of the thread.
pub fn guard<T>(
    cx: &mut Cx,
    method: Sym,
    object: Value,
    partner: Value,
    body: impl FnOnce(&mut Cx) -> R<T>,
) -> R<Option<T>> {
    cx.check_native_stack()?;
    cx.safepoint()?;
    if cx.recursion_guard.is_nil() {
        cx.recursion_guard = make::array(cx, &[]);
    }
    let list = cx.recursion_guard;
    if Arr::of(list).groups::<3>().rev().any(|c| c[1] == object && c[0] == method.value() && c[2] == partner) {
        return Ok(None);
    }
    let depth = Arr::of(list).len();
    for v in [method.value(), object, partner] {
        make::push(cx, list, v);
    }
    let result = body(cx);
    // Nested guards may have been left by unwinding: entries above this level are obsolete.
    Arr::of(list).truncate(cx, depth);
    result.map(Some)
}

/// For the Ruby half: the depth for `leave`, or `None` if the method is already running for the object.
pub fn enter(cx: &mut Cx, method: Sym, object: Value) -> R<Option<usize>> {
    cx.check_native_stack()?;
    cx.safepoint()?;
    if cx.recursion_guard.is_nil() {
        cx.recursion_guard = make::array(cx, &[]);
    }
    let list = cx.recursion_guard;
    if Arr::of(list).groups::<3>().rev().any(|c| c[1] == object && c[0] == method.value()) {
        return Ok(None);
    }
    let depth = Arr::of(list).len();
    for v in [method.value(), object, Value::NIL] {
        make::push(cx, list, v);
    }
    Ok(Some(depth))
}

pub fn leave(cx: &mut Cx, depth: usize) {
    let list = cx.recursion_guard;
    if !list.is_nil() && depth < Arr::of(list).len() {
        Arr::of(list).truncate(cx, depth);
    }
}
