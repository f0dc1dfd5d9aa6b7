//! Guarding against structures that contain themselves.

use abi::Value;
use object::array::Arr;

use crate::{Cx, R, Sym, make};

/// Runs `body` unless it is running already for the same method and object (and partner, for methods of two): then gives `None`. The pairs under way
/// stand in an Array of the thread.
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
    if Arr::of(list)
        .elements()
        .chunks_exact(3)
        .rev()
        .any(|c| c[1] == object && c[0] == method.value() && c[2] == partner)
    {
        return Ok(None);
    }
    let depth = Arr::of(list).len();
    for v in [method.value(), object, partner] {
        make::push(cx, list, v);
    }
    let result = body(cx);
    // Whatever ran may have left by unwinding: what is above this level is over.
    Arr::of(list).truncate(cx, depth);
    result.map(Some)
}

/// The same for the Ruby half: the depth to `leave` by, or `None` where the method runs already for the object.
pub fn enter(cx: &mut Cx, method: Sym, object: Value) -> R<Option<usize>> {
    cx.check_native_stack()?;
    cx.safepoint()?;
    if cx.recursion_guard.is_nil() {
        cx.recursion_guard = make::array(cx, &[]);
    }
    let list = cx.recursion_guard;
    if Arr::of(list).elements().chunks_exact(3).rev().any(|c| c[1] == object && c[0] == method.value()) {
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
