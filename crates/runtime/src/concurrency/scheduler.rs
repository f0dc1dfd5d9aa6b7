//! Fiber schedulers: objects of the program that wait on behalf of non-blocking fibers, so that the thread is not
//! blocked.
//!
//! A thread has at most one. Waiting operations first check [`current`] and call its hook, which runs other fibers in
//! the meantime. Fibers that wait for an object are listed, so that [`unblock_waiting`] can unblock them.

use abi::Value;
use object::{array::Arr, float, native, symbol::table::intern_text};

use super::{
    delay,
    fiber::{self, FiberState, FiberStatus},
    thread_state::{self as thread, ThreadState},
};
use crate::{
    Cx, R, call,
    error::ErrorClass,
    make,
    unwind::{Reason, Unwinding},
    warning,
};

/// The root with the list of waiting fibers: object (nil: any), fiber and scheduler of each.
const WAITING: crate::Root = crate::Root::WaitingFibers;

/// `Fiber.scheduler`: the thread's, or nil.
pub fn of_thread(cx: &mut Cx) -> Value {
    let thread = cx.thread;
    if thread.is_nil() { Value::NIL } else { thread::state(cx, thread).scheduler }
}

/// The scheduler for the running fiber: `None` if the fiber is blocking.
pub fn current(cx: &mut Cx) -> Option<Value> {
    let scheduler = of_thread(cx);
    if scheduler.is_nil() {
        return None;
    }
    let own = fiber::current(cx);
    let own = fiber::state(cx, own);
    (!own.blocking && !own.is_root()).then_some(scheduler)
}

/// The owner of what the running code locks or loads: the fiber if a scheduler waits for it, otherwise the thread.
pub fn runner(cx: &Cx) -> Value {
    let Some(own) = native::get::<FiberState>(&cx.fiber) else { return cx.thread };
    let scheduled = native::get::<ThreadState>(&cx.thread).is_some_and(|thread| !thread.scheduler.is_nil());
    if scheduled && !own.blocking && !own.is_root() { cx.fiber } else { cx.thread }
}

/// Whether the thread or fiber that [`runner`] returned is still alive.
pub fn is_alive(runner: Value) -> bool {
    match native::get::<FiberState>(&runner) {
        Some(fiber) => fiber.status != FiberStatus::Terminated && thread::is_alive(fiber.thread),
        None => thread::is_alive(runner),
    }
}

/// `Fiber.set_scheduler(scheduler)`: the previous one is run to its end first.
///
/// # Errors
/// ArgumentError if a hook is missing, and exceptions of closing the previous one.
pub fn set(cx: &mut Cx, scheduler: Value) -> R {
    if !scheduler.is_nil() {
        for hook in ["block", "unblock", "kernel_sleep", "io_wait"] {
            if !has(cx, scheduler, hook)? {
                return Err(cx.argument_error(&format!("Scheduler must implement #{hook}")));
            }
        }
        if !has(cx, scheduler, "fiber_interrupt")? {
            warning::warn_here(cx, "Scheduler should implement #fiber_interrupt")?;
        }
    }
    let (own, before) = (cx.thread, of_thread(cx));
    if !before.is_nil() {
        let closed = close(cx, before);
        thread::state(cx, own).scheduler = Value::NIL;
        closed?;
    }
    thread::state(cx, own).scheduler = scheduler;
    Ok(scheduler)
}

fn close(cx: &mut Cx, scheduler: Value) -> R {
    for hook in ["scheduler_close", "close"] {
        if has(cx, scheduler, hook)? {
            return send(cx, scheduler, hook, &[]);
        }
    }
    Ok(Value::NIL)
}

/// Whether the scheduler has a hook.
pub fn has(cx: &mut Cx, scheduler: Value, hook: &str) -> R<bool> {
    let hook = intern_text(cx, hook);
    call::responds(cx, scheduler, hook, false)
}

/// The thread of what [`runner`] returned.
pub fn thread_of(runner: Value) -> Value {
    native::get::<FiberState>(&runner).map_or(runner, |fiber| fiber.thread)
}

/// Calls a hook.
pub fn send(cx: &mut Cx, scheduler: Value, hook: &str, arguments: &[Value]) -> R {
    let hook = intern_text(cx, hook);
    call::send(cx, scheduler, hook, arguments)
}

/// `block(blocker, timeout)`: the fiber waits until `unblock` or the deadline, in nanoseconds of the monotonic clock.
pub fn block(cx: &mut Cx, scheduler: Value, blocker: Value, deadline: Option<u64>) -> R {
    let timeout = timeout(cx, deadline);
    send(cx, scheduler, "block", &[blocker, timeout])
}

/// `unblock(blocker, fiber)`: from any thread or fiber. No exception of another thread interrupts the hook: its fiber
/// would stay blocked.
pub fn unblock(cx: &mut Cx, scheduler: Value, blocker: Value, fiber: Value) -> R {
    delay::delayed(cx, |cx| send(cx, scheduler, "unblock", &[blocker, fiber]))
}

/// `fiber_interrupt(fiber, exception)`: the fiber, which waits for its thread's scheduler, raises the exception there.
/// Does nothing if the scheduler lacks the hook.
pub fn interrupt(cx: &mut Cx, fiber: Value, exception: Value) -> R<()> {
    let Some(state) = native::get::<FiberState>(&fiber) else { return Ok(()) };
    let thread = state.thread;
    let Some(scheduler) = native::get::<ThreadState>(&thread).map(|thread| thread.scheduler) else { return Ok(()) };
    if !scheduler.is_nil() && has(cx, scheduler, "fiber_interrupt")? {
        delay::delayed(cx, |cx| send(cx, scheduler, "fiber_interrupt", &[fiber, exception]))?;
    }
    Ok(())
}

/// `kernel_sleep(seconds)`; without an argument it sleeps for ever.
pub fn sleep(cx: &mut Cx, scheduler: Value, deadline: Option<u64>) -> R {
    match timeout(cx, deadline) {
        Value::NIL => send(cx, scheduler, "kernel_sleep", &[]),
        seconds => send(cx, scheduler, "kernel_sleep", &[seconds]),
    }
}

/// `yield`, or a sleep of no time: other fibers run.
pub fn let_others_run(cx: &mut Cx, scheduler: Value) -> R {
    if has(cx, scheduler, "yield")? {
        return send(cx, scheduler, "yield", &[]);
    }
    send(cx, scheduler, "kernel_sleep", &[Value::fixnum(0)])
}

/// `io_wait(io, events, timeout)`: the events that occurred, none on timeout.
pub fn io_wait(cx: &mut Cx, scheduler: Value, io: Value, events: i16, seconds: Option<f64>) -> R<i16> {
    let timeout = seconds.map_or(Value::NIL, |seconds| float::new(cx, seconds));
    let came = send(cx, scheduler, "io_wait", &[io, Value::fixnum(events.into()), timeout])?;
    Ok(match came.as_fixnum() {
        Some(bits) => bits as i16,
        None if came.truthy() => events,
        None => 0,
    })
}

/// `Fiber.schedule(…) { … }`
pub fn schedule(cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, block: abi::BlockHandler) -> R {
    let scheduler = of_thread(cx);
    if scheduler.is_nil() {
        return Err(cx.raise(ErrorClass::RuntimeError, "No scheduler is available!"));
    }
    let hook = intern_text(cx, "fiber");
    call::send_full(cx, scheduler, hook, arguments, keywords, block, call::Scope::Function)
}

/// The time until the deadline, in seconds, or nil.
fn timeout(cx: &mut Cx, deadline: Option<u64>) -> Value {
    let Some(deadline) = deadline else { return Value::NIL };
    let left = deadline.saturating_sub(host::clock::monotonic_nanoseconds());
    float::new(cx, left as f64 / 1e9)
}

/// Adds the running fiber to the waiting ones.
pub fn enter(cx: &mut Cx, scheduler: Value, about: Value) {
    let list = cx.root(WAITING);
    let list = if list.is_nil() { make::array(cx, &[]) } else { list };
    cx.set_root(WAITING, list);
    let own = fiber::current(cx);
    for v in [about, own, scheduler] {
        make::push(cx, list, v);
    }
}

/// Removes the running fiber from the waiting ones.
pub fn leave(cx: &mut Cx) {
    let own = fiber::current(cx);
    let list = cx.root(WAITING);
    if let Some(place) = Arr::of(list).groups::<3>().position(|entry| entry[1] == own) {
        take(cx, list, place);
    }
}

fn take(cx: &mut Cx, list: Value, place: usize) -> [Value; 3] {
    std::array::from_fn(|_| Arr::of(list).delete_at(cx, place * 3).ok().flatten().unwrap_or(Value::NIL))
}

/// Unblocks fibers that wait for an object (nil: all fibers), at most `most`, and always those that wait for any.
///
/// # Errors
/// The first exception of a hook, after all were called, unless another unwinding is in progress.
pub fn unblock_waiting(cx: &mut Cx, about: Value, mut most: usize) -> R<()> {
    let list = cx.root(WAITING);
    if list.is_nil() || Arr::of(list).is_empty() {
        return Ok(());
    }
    let due = make::array(cx, &[]);
    let mut place = 0;
    while let Some(wanted) = Arr::of(list).get(place * 3) {
        if wanted.is_nil() || (most > 0 && (about.is_nil() || wanted == about)) {
            most -= (!wanted.is_nil()) as usize;
            for v in take(cx, list, place) {
                make::push(cx, due, v);
            }
        } else {
            place += 1;
        }
    }
    // The unwinding in progress is preserved, and comes before those of hooks.
    let kept = std::mem::replace(&mut cx.unwinding, Unwinding::none());
    let (mut outcome, mut i) = (Ok(()), 0);
    while let (Some(blocker), Some(fiber), Some(scheduler)) =
        (Arr::of(due).get(i), Arr::of(due).get(i + 1), Arr::of(due).get(i + 2))
    {
        let own = std::mem::replace(&mut cx.unwinding, Unwinding::none());
        let unblocked = unblock(cx, scheduler, blocker, fiber);
        if outcome.is_ok() {
            outcome = unblocked.map(|_| ());
        } else {
            cx.unwinding = own;
        }
        i += 3;
    }
    if kept.reason != Reason::None {
        cx.unwinding = kept;
        return Ok(());
    }
    outcome
}
