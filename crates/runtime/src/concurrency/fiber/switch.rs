//! Switching between fibers.
//!
//! A fiber that resumes others *drives* them: it switches to the native stack of the fiber, gets control back when that
//! yields, ends or transfers to another, and then switches to that one. Both fibers are added to the remembered set
//! before each switch: the suspended one because its stacks changed without a barrier, the other because of the values
//! passed to it. Nothing is allocated between that and the switch.

use std::sync::atomic::Ordering;

use abi::Value;
use corosensei::{Coroutine, CoroutineResult, Yielder, stack::Stack as _};
use heap::{Cause, Request};
use object::array::Arr;

use super::{current, peek};
use crate::{
    Cx, R, Unwind,
    error::ErrorClass,
    make, sampling,
    state::{
        fiber::{FiberStatus, Handing, Transfer},
        native_stack::NativeStack,
        stack::Stack,
    },
    unwind::{Reason, Unwinding},
};

/// The minimum memory of a running fiber: two pages of each stack.
const TOUCHED: usize = 16 << 10;
/// How much of its native stack stays free for raising SystemStackError.
const NATIVE_RESERVE: usize = 96 << 10;

fn fiber_error(cx: &mut Cx, message: &str) -> Unwind {
    cx.raise(ErrorClass::FiberError, message)
}

/// Packs the values for the other side: nil, the only value, or an Array.
fn handed(cx: &mut Cx, values: &[Value]) -> Transfer {
    match values {
        [] => Transfer::NOTHING,
        [value] => Transfer { value: *value, kind: Handing::One },
        _ => Transfer { value: make::array(cx, values), kind: Handing::Several },
    }
}

/// Fiber#resume.
pub fn resume(cx: &mut Cx, fiber: Value, values: &[Value]) -> R {
    let transfer = handed(cx, values);
    resume_with(cx, fiber, transfer)
}

fn resume_with(cx: &mut Cx, fiber: Value, transfer: Transfer) -> R {
    let current = current(cx);
    let thread = cx.thread;
    let raises = transfer.kind == Handing::Exception;
    let f = peek(cx, fiber);
    match f.status {
        FiberStatus::Terminated => {
            return Err(fiber_error(
                cx,
                if raises { "dead fiber called" } else { "attempt to resume a terminated fiber" },
            ));
        }
        FiberStatus::Resumed => return Err(fiber_error(cx, "attempt to resume the current fiber")),
        FiberStatus::Resuming if f.resumer.is_nil() => {
            return Err(fiber_error(cx, "attempt to resume a resuming fiber"));
        }
        FiberStatus::Resuming => return Err(fiber_error(cx, "attempt to resume a resumed fiber (double resume)")),
        FiberStatus::Created if raises => return Err(fiber_error(cx, "cannot raise exception on unborn fiber")),
        _ => {}
    }
    if f.thread != thread {
        return Err(fiber_error(cx, "fiber called across threads"));
    }
    if f.transferred || f.is_root() {
        return Err(fiber_error(cx, "attempt to resume a transferring fiber"));
    }
    f.resumer = current;
    leave_samples(cx);
    let own = peek(cx, current);
    own.status = FiberStatus::Resuming;
    own.resuming = fiber;
    hand_over(cx, fiber, transfer);
    drive(cx, current, fiber)
}

/// Fiber#transfer.
pub fn transfer(cx: &mut Cx, fiber: Value, values: &[Value]) -> R {
    let transfer = handed(cx, values);
    if fiber == current(cx) {
        return Ok(transfer.value);
    }
    transfer_with(cx, fiber, transfer)
}

fn transfer_with(cx: &mut Cx, fiber: Value, transfer: Transfer) -> R {
    sampling::take(cx);
    let from = current(cx);
    let thread = cx.thread;
    let f = peek(cx, fiber);
    match f.status {
        FiberStatus::Terminated => return Err(fiber_error(cx, "attempt to transfer to a terminated fiber")),
        FiberStatus::Resuming => return Err(fiber_error(cx, "attempt to transfer to a resuming fiber")),
        FiberStatus::Suspended if !f.transferred && !f.is_root() => {
            return Err(fiber_error(cx, "attempt to transfer to a yielding fiber"));
        }
        _ => {}
    }
    if f.thread != thread {
        return Err(fiber_error(cx, "fiber called across threads"));
    }
    f.transferred = !f.is_root();
    let own = peek(cx, from);
    let is_root = own.is_root();
    own.status = FiberStatus::Suspended;
    own.transferred = !is_root;
    hand_over(cx, fiber, transfer);
    if is_root { drive(cx, from, fiber) } else { leave_to_driver(cx, from, fiber) }
}

/// A non-root fiber transfers: it returns to the driver on its native stack, which switches to `to`.
fn leave_to_driver(cx: &mut Cx, from: Value, to: Value) -> R {
    cx.next_fiber = to;
    suspend_native(cx, from);
    arrive(cx, from)
}

fn hand_over(cx: &mut Cx, to: Value, transfer: Transfer) {
    peek(cx, to).transfer = transfer;
    cx.remember(to);
}

/// Runs `to` (and the fibers it transfers to) until control returns to `from`.
fn drive(cx: &mut Cx, from: Value, to: Value) -> R {
    if peek(cx, to).status == FiberStatus::Created {
        let stacks = taken_or_collected(cx, from);
        prepare(cx, from, to, stacks)?;
    }
    save(cx, from);
    // Until control is back, a collection scans the stack of `from` from here on.
    heap::with_registers_on_stack(|low| {
        peek(cx, from).native_low = low as usize;
        drive_each(cx, from, to)
    })
}

/// Runs `to`, and then each fiber that gets control, until that is `from`.
fn drive_each(cx: &mut Cx, from: Value, mut to: Value) -> R {
    loop {
        let f = peek(cx, to);
        f.status = FiberStatus::Resumed;
        let (coroutine, base, limit) = (f.coroutine.take(), f.native_base, f.native_limit);
        cx.fiber = to;
        let Some(mut coroutine) = coroutine else {
            // `to` is deeper on the native stacks: the driver of `from` continues there. Control returns once `from` is
            // switched to.
            restore(cx, from);
            cx.next_fiber = to;
            suspend_native(cx, from);
            return arrive(cx, from);
        };
        // SAFETY: this context runs on the fiber's native stack from here until the coroutine returns control.
        unsafe { cx.set_native_base(base) };
        cx.set_native_bound(limit);
        load(cx, to);
        let result = coroutine.resume(());
        let f = peek(cx, to);
        if matches!(result, CoroutineResult::Return(())) {
            finish(cx, to, coroutine);
        } else {
            f.coroutine = Some(coroutine);
        }
        let next = std::mem::replace(&mut cx.next_fiber, Value::NIL);
        if next.is_nil() || next == from {
            break;
        }
        to = next;
        if peek(cx, to).status == FiberStatus::Created
            && let stacks = cx.vm_mut().stacks.take()
            && let Err(unwind) = prepare(cx, from, to, stacks)
        {
            restore(cx, from);
            return Err(unwind);
        }
    }
    restore(cx, from);
    arrive(cx, from)
}

/// Returns a fiber's stacks to the pools.
fn finish(cx: &mut Cx, fiber: Value, coroutine: Coroutine<(), (), (), NativeStack>) {
    cx.vm_mut().stacks.native.give_back(coroutine.into_stack());
    if let Some(stack) = peek(cx, fiber).stack.take() {
        cx.vm_mut().stacks.vm.give_back(stack);
    }
}

/// Receives the data passed to `fiber`, which runs again.
fn arrive(cx: &mut Cx, fiber: Value) -> R {
    cx.event(crate::trace::FIBER_SWITCH, Value::NIL, Value::NIL)?;
    let f = peek(cx, fiber);
    f.status = FiberStatus::Resumed;
    f.resuming = Value::NIL;
    let Transfer { value, kind } = std::mem::replace(&mut f.transfer, Transfer::NOTHING);
    if f.killed {
        f.outcome = None;
        return Err(cx.unwind(Reason::Kill, Value::NIL, Value::NIL, std::ptr::null_mut()));
    }
    if let Some(outcome) = f.outcome.take() {
        if outcome.reason == Reason::Raise {
            return Err(crate::error::raise_again(cx, outcome.value));
        }
        return Err(cx.unwind(outcome.reason, outcome.value, outcome.tag, outcome.target));
    }
    if kind == Handing::Exception {
        return Err(crate::error::raise_exception(cx, value));
    }
    Ok(value)
}

/// Saves the running fiber's state.
#[inline(never)]
fn save(cx: &mut Cx, fiber: Value) {
    let (stack, frame, error_info, guard, limit) =
        (cx.stack, cx.frame, cx.error_info, cx.recursion_guard, cx.native_bound());
    let (happening, open_calls) = (cx.happening, cx.open_calls);
    cx.remember(fiber);
    let f = peek(cx, fiber);
    (f.happening, f.open_calls) = (happening, open_calls);
    f.stack = Some(stack);
    f.frame = frame;
    f.error_info = error_info;
    f.recursion_guard = guard;
    f.native_limit = limit;
}

/// Restores the fiber's saved state.
fn restore(cx: &mut Cx, fiber: Value) {
    let f = peek(cx, fiber);
    let (base, limit) = (f.native_base, f.native_limit);
    f.native_low = 0;
    // SAFETY: control is on this fiber's native stack.
    unsafe { cx.set_native_base(base) };
    cx.set_native_bound(limit);
    cx.fiber = fiber;
    load(cx, fiber);
}

fn load(cx: &mut Cx, fiber: Value) {
    let f = peek(cx, fiber);
    f.native_low = 0;
    let (stack, frame, error_info, guard) = (f.stack, f.frame, f.error_info, f.recursion_guard);
    let (happening, open_calls) = (f.happening, f.open_calls);
    if let Some(stack) = stack {
        cx.stack = stack;
    }
    cx.frame = frame;
    cx.error_info = error_info;
    cx.recursion_guard = guard;
    (cx.happening, cx.open_calls) = (happening, open_calls);
    cx.switches_fiber.store(false, Ordering::Relaxed);
}

/// Stacks for another fiber. If there are none, it collects: those of abandoned fibers become free.
fn taken_or_collected(cx: &mut Cx, from: Value) -> Option<(Stack, NativeStack)> {
    if let Some(stacks) = cx.vm_mut().stacks.take() {
        return Some(stacks);
    }
    // `from` still runs, whatever it is about to do.
    let status = std::mem::replace(&mut peek(cx, from).status, FiberStatus::Resumed);
    cx.collect(Request { full: true, immediate_mark: true, immediate_sweep: true, cause: Cause::Exhausted });
    peek(cx, from).status = status;
    cx.vm_mut().stacks.take()
}

/// Gives stacks to a fiber that is resumed for the first time. If there are none, `from` continues as if it had not
/// resumed.
#[inline(never)]
fn prepare(cx: &mut Cx, from: Value, fiber: Value, stacks: Option<(Stack, NativeStack)>) -> R<()> {
    let Some((stack, native)) = stacks else {
        let f = peek(cx, from);
        (f.status, f.resuming) = (FiberStatus::Resumed, Value::NIL);
        peek(cx, fiber).resumer = Value::NIL;
        cx.switches_fiber.store(false, Ordering::Relaxed);
        let message = "can't alloc machine stack to fiber: Cannot allocate memory";
        return Err(fiber_error(cx, message));
    };
    let pools = &raw mut cx.vm_mut().stacks;
    let context: *mut Cx = cx;
    let f = peek(cx, fiber);
    f.pools = pools;
    // SAFETY: the pools are the VM's; nothing else uses them here.
    unsafe {
        f.index = (*pools).started.len();
        (*pools).started.push(f);
    }
    f.stack = Some(stack);
    f.frame = std::ptr::null_mut();
    f.native_base = native.base().get();
    f.native_limit = native.limit().get() + NATIVE_RESERVE;
    f.coroutine = Some(Coroutine::with_stack(native, move |yielder: &Yielder<(), ()>, ()| {
        // SAFETY: the context outlives its fibers, and only the fiber that has control uses it.
        run_body(unsafe { &mut *context }, fiber, yielder);
    }));
    cx.holds_outside(TOUCHED);
    cx.remember(fiber);
    Ok(())
}

/// The entry point of a fiber's native stack.
fn run_body(cx: &mut Cx, fiber: Value, yielder: &Yielder<(), ()>) {
    let f = peek(cx, fiber);
    f.yielder = yielder;
    let block = f.block;
    let Transfer { value, kind } = std::mem::replace(&mut f.transfer, Transfer::NOTHING);
    let result = cx.event(crate::trace::FIBER_SWITCH, Value::NIL, Value::NIL).and_then(|()| match kind {
        Handing::Nothing => crate::call::block::call_proc(cx, block, &[]),
        Handing::One | Handing::Exception => crate::call::block::call_with_aside(cx, block, &[value]),
        Handing::Several => {
            crate::args::spread(cx, Arr::of(value), |cx, all| crate::call::block::call_with_aside(cx, block, all))
        }
    });
    if peek(cx, fiber).forked {
        let finish = cx.vm().hooks.finish;
        let status = finish(cx, result);
        host::process::exit_immediately(status as i32)
    }
    leave_samples(cx);
    let f = peek(cx, fiber);
    let resumer = std::mem::replace(&mut f.resumer, Value::NIL);
    f.status = FiberStatus::Terminated;
    let killed = f.killed;
    let to = if resumer.is_nil() { innermost_resumed(cx) } else { resumer };
    match result {
        Ok(value) => hand_over(cx, to, Transfer { value, kind: Handing::One }),
        Err(_) if cx.unwinding.reason == Reason::Kill && killed => {
            cx.unwinding = Unwinding::none();
            hand_over(cx, to, Transfer::NOTHING);
        }
        Err(_) => {
            let outcome = std::mem::replace(&mut cx.unwinding, Unwinding::none());
            peek(cx, to).outcome = Some(outcome);
            hand_over(cx, to, Transfer::NOTHING);
        }
    }
    cx.next_fiber = to;
}

/// The fiber that continues when one ends that was transferred to: the last of those that resume each other, from the
/// root fiber on.
fn innermost_resumed(cx: &mut Cx) -> Value {
    let mut at = cx.return_fiber;
    loop {
        match peek(cx, at).resuming {
            Value::NIL => return at,
            resumed => at = resumed,
        }
    }
}

/// Fiber#raise: at the fiber's position, or at that of the fiber it waits for.
pub fn raise_in(cx: &mut Cx, fiber: Value, exception: Value) -> R {
    let mut at = fiber;
    loop {
        if at == current(cx) {
            return Err(crate::error::raise_exception(cx, exception));
        }
        let f = peek(cx, at);
        if f.resuming.is_nil() {
            let transfer = Transfer { value: exception, kind: Handing::Exception };
            let was_transferred = f.status == FiberStatus::Suspended && f.transferred;
            return if was_transferred { transfer_with(cx, at, transfer) } else { resume_with(cx, at, transfer) };
        }
        at = f.resuming;
    }
}

/// Fiber#kill: a fiber that has begun unwinds through its ensure clauses, at the latest when it gets control.
pub fn kill(cx: &mut Cx, fiber: Value) -> R<()> {
    let own = current(cx);
    let f = peek(cx, fiber);
    if f.killed || f.status == FiberStatus::Terminated {
        return Ok(());
    }
    f.killed = true;
    if f.status == FiberStatus::Created {
        f.status = FiberStatus::Terminated;
        return Ok(());
    }
    if fiber == own {
        return Err(cx.unwind(Reason::Kill, Value::NIL, Value::NIL, std::ptr::null_mut()));
    }
    if f.resuming.is_nil() {
        let was_transferred = f.status == FiberStatus::Suspended && f.transferred;
        if was_transferred {
            transfer_with(cx, fiber, Transfer::NOTHING)?;
        } else {
            resume_with(cx, fiber, Transfer::NOTHING)?;
        }
    }
    Ok(())
}

/// Fiber.yield.
pub fn suspend(cx: &mut Cx, values: &[Value]) -> R {
    let transfer = handed(cx, values);
    let own = current(cx);
    let f = peek(cx, own);
    if f.resumer.is_nil() {
        return Err(fiber_error(cx, "attempt to yield on a not resumed fiber"));
    }
    leave_samples(cx);
    let f = peek(cx, own);
    let resumer = std::mem::replace(&mut f.resumer, Value::NIL);
    f.status = FiberStatus::Suspended;
    hand_over(cx, resumer, transfer);
    cx.next_fiber = resumer;
    suspend_native(cx, own);
    arrive(cx, own)
}

/// In a forked child: the running fiber is the first one. It cannot yield to the fiber that resumed it, and no
/// scheduler waits for it. It drives the fibers to which it transfers, as a root fiber does.
pub fn after_fork(cx: &mut Cx) {
    let fiber = cx.fiber;
    if fiber.is_nil() {
        return;
    }
    let before = cx.return_fiber;
    let before = peek(cx, before);
    if before.forked {
        (before.forked, before.transferred) = (false, true);
    }
    let own = peek(cx, fiber);
    (own.resumer, own.blocking, own.transferred) = (Value::NIL, true, false);
    own.forked = !own.block.is_nil();
    cx.return_fiber = fiber;
}

/// Fetches the samples taken so far, which belong to the stacks of the running fiber and of those that wait for it.
/// Until another fiber is loaded no more are taken: their time counts for the next one.
fn leave_samples(cx: &mut Cx) {
    cx.switches_fiber.store(true, Ordering::Relaxed);
    sampling::take(cx);
}

/// Leaves the fiber's native stack; returns when the fiber gets control again.
fn suspend_native(cx: &mut Cx, own: Value) {
    save(cx, own);
    let yielder = peek(cx, own).yielder;
    heap::with_registers_on_stack(|low| {
        peek(cx, own).native_low = low as usize;
        // SAFETY: the yielder lives on the fiber's own stack, which this runs on.
        unsafe { (*yielder).suspend(()) };
    });
}
