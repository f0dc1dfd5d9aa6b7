//! Delays exceptions that other threads raise in a thread.

use abi::Value;
use object::{array::Arr, class, native};

use super::{
    fiber::{self, FiberState},
    thread_state::state,
};
use crate::{Cx, cx::Interrupts};

/// Whether the running fiber delays exceptions from other threads.
pub(super) fn is_uninterruptible(cx: &Cx) -> bool {
    native::get::<FiberState>(&cx.fiber).is_some_and(|fiber| fiber.uninterruptible)
}

/// Runs code that others wait for, and delays exceptions from other threads until it has ended.
pub fn delayed<T>(cx: &mut Cx, body: impl FnOnce(&mut Cx) -> T) -> T {
    let own = fiber::current(cx);
    let before = std::mem::replace(&mut fiber::state(cx, own).uninterruptible, true);
    let result = body(cx);
    fiber::state(cx, own).uninterruptible = before;
    let thread = cx.thread;
    if !before && !thread.is_nil() && is_pending(cx, thread, None) {
        cx.interrupt(Interrupts::ASYNC);
    }
    result
}

/// Whether an event is pending for a thread, of a given class if there is one.
pub fn is_pending(cx: &mut Cx, thread: Value, class: Option<Value>) -> bool {
    let pending = state(cx, thread).pending;
    if pending.is_nil() {
        return false;
    }
    Arr::of(pending).iter().any(|e| class.is_none_or(|class| inherits(cx, e, class)))
}

/// Whether the exception (nil: a kill, which counts as an Integer) is of a class.
pub(super) fn inherits(cx: &Cx, exception: Value, wanted: Value) -> bool {
    let exception = if exception.is_nil() { Value::fixnum(0) } else { exception };
    class::is_module(wanted) && class::is_a(cx, exception, wanted)
}
