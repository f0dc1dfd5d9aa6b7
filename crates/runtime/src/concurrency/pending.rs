//! Asynchronous events for a thread from other threads, exceptions or termination, and the masks of
//! Thread.handle_interrupt that delay them.

use abi::Value;
use object::{Sym, array::Arr, class, hash::HashRef, shape::ivars};

pub use super::delay::{delayed, is_pending};
use super::{
    delay::{inherits, is_uninterruptible},
    scheduler,
    thread_state::state,
    waker,
};
use crate::{Cx, R, Unwind, call, cx::Interrupts, error::ErrorClass, make, sym, unwind::Reason};

/// The situation in which a thread checks pending events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Between two instructions.
    Anywhere,
    /// At a call that may block.
    Blocking,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Timing {
    Immediate,
    OnBlocking,
    Never,
}

/// Raises `exception` in `thread` (nil: kills it) as soon as its masks allow it.
pub fn raise_in(cx: &mut Cx, thread: Value, exception: Value) {
    let pending = state(cx, thread).pending;
    let pending = if pending.is_nil() { make::array(cx, &[]) } else { pending };
    state(cx, thread).pending = pending;
    make::push(cx, pending, exception);
    interrupt(cx, thread);
}

/// Makes `thread` check its pending events, wherever it waits.
pub fn interrupt(cx: &mut Cx, thread: Value) {
    let s = state(cx, thread);
    let (context, native) = (s.context, s.native);
    if context == 0 {
        return;
    }
    // SAFETY: contexts are leaked; the interrupts are atomic.
    let target = unsafe { &*(context as *const Cx) };
    target.interrupt(Interrupts::ASYNC);
    cx.vm().parking.wake(context);
    waker::unblock(context);
    if thread != cx.thread
        && let Some(native) = native
    {
        waker::wake(cx, context, native);
    }
}

/// Handles the first pending event that no mask delays.
pub fn handle(cx: &mut Cx, moment: Moment) -> R<()> {
    let thread = cx.thread;
    if thread.is_nil() {
        return Ok(());
    }
    let pending = state(cx, thread).pending;
    if pending.is_nil() || is_uninterruptible(cx) {
        return Ok(());
    }
    let mut i = 0;
    while let Some(exception) = Arr::of(pending).get(i) {
        let due = match timing(cx, thread, exception) {
            Timing::Immediate => true,
            Timing::OnBlocking => moment == Moment::Blocking,
            Timing::Never => false,
        };
        if due {
            let _ = Arr::of(pending).delete_at(cx, i);
            if !Arr::of(pending).is_empty() {
                cx.interrupt(Interrupts::ASYNC);
            }
            if exception.is_nil() {
                return Err(die(cx));
            }
            let exception = call::send(cx, exception, sym::EXCEPTION, &[])?;
            // What this thread is rescuing has not caused it.
            if exception.is_heap() && ivars::get(cx, exception, sym::MEMO_CAUSE).is_undef() {
                ivars::set_hidden(cx, exception, sym::MEMO_CAUSE, Value::NIL);
            }
            return Err(crate::error::raise_exception(cx, exception));
        }
        i += 1;
    }
    Ok(())
}

/// The check before and after a call that may block: handles signals and pending events. If masks delay some events,
/// the thread's scheduler runs, which may check for them. The caller may then only repeat the interrupted operation.
pub fn check_blocking(cx: &mut Cx) -> R<()> {
    cx.safepoint()?;
    handle(cx, Moment::Blocking)?;
    let thread = cx.thread;
    if !thread.is_nil()
        && is_pending(cx, thread, None)
        && !is_uninterruptible(cx)
        && let Some(current) = scheduler::current(cx)
    {
        scheduler::let_others_run(cx, current)?;
    }
    Ok(())
}

/// Ends the running thread through its ensure clauses; the main thread by SystemExit.
pub fn die(cx: &mut Cx) -> Unwind {
    let thread = cx.thread;
    state(cx, thread).pending = Value::NIL;
    if thread == cx.root(crate::Root::MainThread) {
        let class = cx.error_class(ErrorClass::SystemExit);
        return match call::send(cx, class, sym::NEW, &[]) {
            Ok(exception) => crate::error::raise_exception(cx, exception),
            Err(unwind) => unwind,
        };
    }
    state(cx, thread).killed = true;
    cx.unwind(Reason::Kill, Value::NIL, Value::NIL, std::ptr::null_mut())
}

/// Sets masks until `pop_masks`: a Hash of classes and `:immediate`, `:on_blocking`, `:never`.
pub fn push_masks(cx: &mut Cx, masks: Value) {
    let thread = cx.thread;
    let stack = state(cx, thread).masks;
    let stack = if stack.is_nil() { make::array(cx, &[]) } else { stack };
    state(cx, thread).masks = stack;
    make::push(cx, stack, masks);
}

pub fn pop_masks(cx: &mut Cx) {
    let thread = cx.thread;
    let _ = Arr::of(state(cx, thread).masks).pop(cx);
}

/// When a thread's masks allow an exception. The innermost mask that names one of its classes decides, and in that mask
/// the most specific class.
fn timing(cx: &mut Cx, thread: Value, exception: Value) -> Timing {
    let masks = state(cx, thread).masks;
    if masks.is_nil() {
        return Timing::Immediate;
    }
    for mask in Arr::of(masks).iter().rev() {
        let Some(table) = HashRef::from_value(mask) else { continue };
        let mut best: Option<(Value, Value)> = None;
        for (class, timing) in table.entries() {
            let better = best.is_none_or(|(known, _)| class::ancestors::inherits(class, known));
            if inherits(cx, exception, class) && better {
                best = Some((class, timing));
            }
        }
        if let Some((_, timing)) = best {
            return named(cx, timing).unwrap_or(Timing::Immediate);
        }
    }
    Timing::Immediate
}

fn named(cx: &Cx, v: Value) -> Option<Timing> {
    match Sym::from_value(v)?.bytes(cx) {
        b"immediate" => Some(Timing::Immediate),
        b"on_blocking" => Some(Timing::OnBlocking),
        b"never" => Some(Timing::Never),
        _ => None,
    }
}

/// Whether it is the name of a timing.
pub fn is_timing(cx: &Cx, v: Value) -> bool {
    named(cx, v).is_some()
}
