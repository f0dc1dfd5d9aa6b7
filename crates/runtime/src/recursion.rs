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
    if cx.recursion_guard.is_nil() {
        cx.recursion_guard = make::array(cx, &[]);
    }
    let list = cx.recursion_guard;
    if Arr(list).elements().chunks_exact(3).rev().any(|c| c[1] == object && c[0] == method.0 && c[2] == partner) {
        return Ok(None);
    }
    let depth = Arr(list).len();
    for v in [method.0, object, partner] {
        make::push(cx, list, v);
    }
    let result = body(cx);
    // Whatever ran may have left by unwinding: what is above this level is over.
    Arr(list).truncate(cx, depth);
    result.map(Some)
}
