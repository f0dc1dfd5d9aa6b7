//! Waiting for an action of another thread.
//!
//! A thread that changes an object on which others may wait notifies its waiters, with the global lock held; they check
//! their conditions again. A thread that waits without a deadline and has no pending notification depends on another
//! thread: if that is true of all threads, it is a deadlock.

use abi::Value;
use object::array::Arr;

use super::{
    blocking::blocking_until_called,
    deadlock, pending, scheduler,
    thread_state::{ThreadStatus, state},
    waker,
};
use crate::{Cx, R, error::ErrorClass, state::ractor};

/// The interval at which waiters without a deadline check their condition anyway.
const LONG: u64 = 60_000_000_000;

/// Notifies all waiting threads of some change.
pub fn notify(cx: &mut Cx) -> R<()> {
    wake_about(cx, Value::NIL, usize::MAX)
}

/// Notifies the threads that wait for a change of an object.
pub fn notify_about(cx: &mut Cx, about: Value) -> R<()> {
    wake_about(cx, about, usize::MAX)
}

/// Notifies one waiter of an object that can now continue. A waiter that does not use the notification must pass it on.
pub fn notify_one(cx: &mut Cx, about: Value) -> R<()> {
    wake_about(cx, about, 1)
}

/// Threads first, then fibers on which a scheduler waits.
fn wake_about(cx: &mut Cx, about: Value, most: usize) -> R<()> {
    let (lock, mut woken) = (cx.lock(), Vec::new());
    let most = cx.vm().parking.wake_about(lock, about, most, |context| woken.push(context));
    for context in woken {
        // SAFETY: contexts are leaked; the thread waits for the global lock, which this one holds.
        let thread = unsafe { (*(context as *const Cx)).thread };
        note_woken(cx, thread);
    }
    scheduler::unblock_waiting(cx, about, most)
}

/// A thread that another one has woken does not sleep any more, though it may not have run yet.
pub fn note_woken(cx: &mut Cx, thread: Value) {
    let s = state(cx, thread);
    if s.status == ThreadStatus::Sleeping {
        s.status = ThreadStatus::Runnable;
    }
}

/// Waits until `ready` (true) or the deadline (false), checking again when `about` (nil: anything) has changed.
/// Signals, Thread#raise etc. are handled in between.
///
/// # Errors
/// `fatal` when every thread waits for another.
pub fn wait_until(cx: &mut Cx, about: Value, deadline: Option<u64>, ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    wait(cx, about, deadline, deadline.is_none(), ready)
}

/// Like `wait_until`, but not part of a deadlock: an external event may end the wait.
pub fn wait_for_external(cx: &mut Cx, deadline: Option<u64>, ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    wait(cx, Value::NIL, deadline, false, ready)
}

/// Like `wait_for_external` for a change of `about`, without a deadline.
pub fn wait_for_external_about(cx: &mut Cx, about: Value, ready: impl FnMut(&mut Cx) -> bool) -> R<()> {
    wait(cx, about, None, false, ready).map(|_| ())
}

fn wait(
    cx: &mut Cx,
    about: Value,
    deadline: Option<u64>,
    needs_others: bool,
    mut ready: impl FnMut(&mut Cx) -> bool,
) -> R<bool> {
    if let Some(scheduler) = scheduler::current(cx) {
        return wait_as_fiber(cx, scheduler, about, deadline, ready);
    }
    let context = cx as *const Cx as usize;
    loop {
        let calls = cx.vm().parking.calls();
        if ready(cx) {
            return Ok(true);
        }
        let now = host::clock::monotonic_nanoseconds();
        if deadline.is_some_and(|d| now >= d) {
            return Ok(false);
        }
        pending::check_blocking(cx)?;
        if ready(cx) {
            return Ok(true); // Code that ran in the meantime made it true.
        }
        if needs_others && is_deadlock(cx) {
            report_deadlock(cx, about)?;
            continue;
        }
        waker::ensure_started(cx);
        sleep(cx, context, about, needs_others, calls, deadline.unwrap_or(now + LONG));
        pending::check_blocking(cx)?;
    }
}

/// The scheduler's other fibers run meanwhile.
fn wait_as_fiber(
    cx: &mut Cx,
    scheduler: Value,
    about: Value,
    deadline: Option<u64>,
    mut ready: impl FnMut(&mut Cx) -> bool,
) -> R<bool> {
    loop {
        if ready(cx) {
            return Ok(true);
        }
        if deadline.is_some_and(|d| host::clock::monotonic_nanoseconds() >= d) {
            return Ok(false);
        }
        scheduler::enter(cx, scheduler, about);
        let blocked = scheduler::block(cx, scheduler, about, deadline);
        scheduler::leave(cx);
        blocked?;
        pending::check_blocking(cx)?;
    }
}

fn sleep(cx: &mut Cx, context: usize, about: Value, needs_others: bool, calls: u64, until: u64) {
    let parking = cx.parking();
    parking.enter(context, about, needs_others, calls);
    let thread = cx.thread;
    state(cx, thread).waits_for_others = needs_others;
    blocking_until_called(cx, || parking.sleep(context, until));
    state(cx, thread).waits_for_others = false;
    parking.leave(context);
}

/// Waits until `ready` without interruption; signals and other pending interrupts are delayed. Other fibers may run
/// meanwhile.
///
/// # Errors
/// An exception of a scheduler's hook.
pub fn wait_uninterrupted(cx: &mut Cx, about: Value, mut ready: impl FnMut(&mut Cx) -> bool) -> R<()> {
    let context = cx as *const Cx as usize;
    let mut failed = None;
    loop {
        let calls = cx.vm().parking.calls();
        if ready(cx) {
            return failed.map_or(Ok(()), |exception| Err(cx.raise_object(exception)));
        }
        if failed.is_none()
            && let Some(scheduler) = scheduler::current(cx)
        {
            scheduler::enter(cx, scheduler, about);
            let blocked = scheduler::block(cx, scheduler, about, None);
            scheduler::leave(cx);
            if let Err(unwind) = blocked {
                failed = Some(cx.take_exception(unwind)?);
            }
            continue;
        }
        let until = host::clock::monotonic_nanoseconds() + LONG;
        sleep(cx, context, about, false, calls, until);
    }
}

/// Whether every thread of the Ractor waits for another, and none has a notification.
fn is_deadlock(cx: &mut Cx) -> bool {
    if host::signal::has_pending() {
        return false;
    }
    let threads = cx.root(crate::Root::Threads);
    if threads.is_nil() {
        return true;
    }
    if cx.vm().parking.dependent() + 1 < cx.vm().contexts.len() && !cx.vm().ractors_used {
        return false;
    }
    let (own, ractor, parking) = (cx.thread, cx.ractor, cx.parking());
    let mut i = 0;
    while let Some(thread) = Arr::of(threads).get(i) {
        let s = state(cx, thread);
        let is_pending = !s.pending.is_nil() && !Arr::of(s.pending).is_empty();
        if s.ractor == ractor && s.is_alive() && thread != own && (is_pending || !parking.is_dependent(s.context)) {
            return false;
        }
        i += 1;
    }
    true
}

/// Raises `fatal` in the Ractor's main thread.
fn report_deadlock(cx: &mut Cx, about: Value) -> R<()> {
    if cx.root(crate::Root::ThreadIgnoreDeadlock).truthy() {
        return wait_a_little(cx);
    }
    let message = deadlock::message(cx, about)?;
    let main = ractor::main_thread(cx);
    if main == cx.thread {
        return Err(cx.raise(ErrorClass::Fatal, &message));
    }
    // It gets the backtrace of the thread that raises it.
    let (class, message) = (cx.error_class(ErrorClass::Fatal), crate::make::text(cx, &message));
    let exception = crate::error::new_exception(cx, class, message);
    pending::raise_in(cx, main, exception);
    Ok(())
}

/// Deadlocks don't matter here: only a signal can end this wait.
fn wait_a_little(cx: &mut Cx) -> R<()> {
    const LITTLE: u64 = 100_000_000;
    let until = host::clock::monotonic_nanoseconds() + LITTLE;
    let (context, calls) = (cx as *const Cx as usize, cx.vm().parking.calls());
    sleep(cx, context, Value::NIL, false, calls, until);
    cx.safepoint()
}

/// Nanoseconds of the monotonic clock `seconds` from now; `None` for never.
pub fn deadline_after(seconds: Option<f64>) -> Option<u64> {
    let seconds = seconds?;
    Some(host::clock::monotonic_nanoseconds().saturating_add((seconds.max(0.0) * 1e9) as u64))
}
