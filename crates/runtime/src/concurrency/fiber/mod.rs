//! Fibers, each with a VM stack and a native stack. `switch` switches between them.
//!
//! While a fiber is suspended its VM stack and the part of its native stack in use are roots, traced through its
//! object. A switch adds the object to the remembered set, because its stacks change without a barrier.

mod switch;

pub use switch::{after_fork, kill, raise_in, resume, suspend, transfer};

use abi::{Frame, Value};
use object::{Known, cell, native};

pub use crate::state::fiber::{FiberState, FiberStatus};
use crate::{Cx, state::frames::frames_from};

/// A new fiber of class `class` that will run `block`.
pub fn new(cx: &mut Cx, class: Value, block: Value) -> Value {
    let thread = cx.thread;
    native::new(cx, class, Box::new(FiberState::new(block, thread, FiberStatus::Created)))
}

/// Gives a fiber object made by `allocate` its block.
pub fn initialize(cx: &mut Cx, fiber: Value, block: Value) {
    state(cx, fiber).block = block;
}

/// The state of a fiber object, to change.
pub fn state(cx: &mut Cx, fiber: Value) -> &mut FiberState {
    cx.remember(fiber);
    peek(cx, fiber)
}

/// The state of a fiber object, without a write barrier: for fields without references, or with a separate `remember`.
#[inline]
fn peek(_: &mut Cx, fiber: Value) -> &mut FiberState {
    debug_assert!(native::get::<FiberState>(&fiber).is_some(), "a Fiber holds its state");
    // SAFETY: word 1 of the cell is the address of its box (see object::native), which holds a FiberState: Fiber's
    // allocator creates no other objects, and methods check their receiver. Only the holder of the global lock uses
    // it; the context is borrowed, so that no fiber switch happens during the borrow.
    unsafe { &mut *(cell::raw(fiber, 1) as *mut FiberState) }
}

/// The frames of a fiber that is not running; empty if it has not begun or has ended. They are borrowed from the
/// context, so that nothing switches to the fiber during the borrow.
pub fn frames_of_waiting(_: &Cx, fiber: Value) -> Vec<&Frame> {
    let Some(f) = native::get::<FiberState>(&fiber) else { return Vec::new() };
    let waits = matches!(f.status, FiberStatus::Suspended | FiberStatus::Resuming);
    let Some(stack) = f.stack.filter(|_| waits && !f.frame.is_null()) else { return Vec::new() };
    // SAFETY: the fiber is not running.
    unsafe { frames_from(f.frame, stack.high) }.collect()
}

/// The frames of the fibers that wait for the running one, innermost first.
pub fn frames_of_resumers(cx: &Cx) -> Vec<&Frame> {
    let resumer = |fiber: &Value| native::get::<FiberState>(fiber).map(|f| f.resumer).filter(|v| !v.is_nil());
    let fibers = std::iter::successors(Some(cx.fiber).filter(|v| !v.is_nil()), resumer).skip(1);
    fibers.flat_map(|fiber| frames_of_waiting(cx, fiber)).collect()
}

/// The running fiber; a thread's root fiber is created on first use.
pub fn current(cx: &mut Cx) -> Value {
    if cx.fiber.is_nil() {
        let class = cx.class(Known::Fiber);
        let thread = cx.thread;
        let mut root = FiberState::new(Value::NIL, thread, FiberStatus::Resumed);
        root.native_base = cx.native_stack_base();
        if !thread.is_nil() {
            root.storage = super::thread_state::state(cx, thread).storage;
        }
        cx.fiber = native::new(cx, class, Box::new(root));
        (cx.root_fiber, cx.return_fiber) = (cx.fiber, cx.fiber);
    }
    cx.fiber
}
