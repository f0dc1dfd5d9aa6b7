//! Waiting for something that another thread does.
//!
//! One condition variable serves all: whoever changes what others may wait for calls [`notify`]; each waiter looks at its own condition again. Changes are
//! counted, so that a thread that saw the last one and still waits is known to wait for something new.

use host::thread::{Condvar, Mutex};
use object::array::Arr;

use super::{
    pending,
    thread::{blocking, state},
    waker,
};
use crate::{Cx, R, error::ErrorClass};

pub struct Parking {
    generation: Mutex<u64>,
    changed: Condvar,
}

impl Default for Parking {
    fn default() -> Self {
        Parking { generation: Mutex::new(0), changed: Condvar::new() }
    }
}

impl Parking {
    fn generation(&self) -> u64 {
        *self.generation.lock()
    }

    /// Wakes every waiter.
    pub fn bump(&self) {
        *self.generation.lock() += 1;
        self.changed.notify_all();
    }

    /// Returns when the generation is another than `seen` or at `deadline` (nanoseconds of the monotonic clock).
    fn wait(&self, seen: u64, deadline: u64) {
        let mut generation = self.generation.lock();
        while *generation == seen {
            let (again, timed_out) = self.changed.wait_until(generation, deadline);
            generation = again;
            if timed_out {
                return;
            }
        }
    }
}

/// Without a deadline a waiter looks up now and then all the same.
const LONG: u64 = 60_000_000_000;

/// Something changed that other threads may wait for.
pub fn notify(cx: &Cx) {
    cx.vm().parking.bump();
}

/// Waits until `ready` (true) or the deadline (false). Signals, Thread#raise and the like are taken up in between.
///
/// # Errors
/// `fatal` when every thread waits for another.
pub fn wait_until(cx: &mut Cx, deadline: Option<u64>, ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    wait(cx, deadline, deadline.is_none(), ready)
}

/// The same, but without a deadline it may last for ever: somebody outside may end it.
pub fn wait_for_anybody(cx: &mut Cx, deadline: Option<u64>, ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    wait(cx, deadline, false, ready)
}

fn wait(cx: &mut Cx, deadline: Option<u64>, needs_others: bool, mut ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    let thread = cx.thread;
    loop {
        let seen = cx.vm().parking.generation();
        if ready(cx) {
            return Ok(true);
        }
        let now = host::clock::monotonic_nanoseconds();
        if deadline.is_some_and(|d| now >= d) {
            return Ok(false);
        }
        pending::check_blocking(cx)?;
        if needs_others {
            state(cx, thread).waits_since = Some(seen);
            if is_deadlock(cx, seen) {
                state(cx, thread).waits_since = None;
                report_deadlock(cx)?;
                continue;
            }
        }
        waker::ensure_started(cx);
        let vm = cx.vm();
        blocking(cx, || vm.parking.wait(seen, deadline.unwrap_or(now + LONG)));
        state(cx, thread).waits_since = None;
        pending::check_blocking(cx)?;
    }
}

/// Waits until `ready`, whatever comes; signals and what is pending stay for later.
pub fn wait_uninterrupted(cx: &mut Cx, mut ready: impl FnMut(&mut Cx) -> bool) {
    loop {
        let seen = cx.vm().parking.generation();
        if ready(cx) {
            return;
        }
        let until = host::clock::monotonic_nanoseconds() + LONG;
        let vm = cx.vm();
        blocking(cx, || vm.parking.wait(seen, until));
    }
}

/// Does every thread wait for another, since the last change?
fn is_deadlock(cx: &mut Cx, seen: u64) -> bool {
    if cx.vm().parking.generation() != seen || host::signal::has_pending() {
        return false;
    }
    let threads = cx.root("threads");
    if threads.is_nil() {
        return true;
    }
    let mut i = 0;
    while let Some(thread) = Arr(threads).get(i) {
        let s = state(cx, thread);
        let is_pending = !s.pending.is_nil() && !Arr(s.pending).is_empty();
        if s.is_alive() && (s.waits_since != Some(seen) || is_pending) {
            return false;
        }
        i += 1;
    }
    true
}

/// Raises `fatal` in the main thread.
fn report_deadlock(cx: &mut Cx) -> R<()> {
    if cx.root("Thread.ignore_deadlock").truthy() {
        let thread = cx.thread;
        state(cx, thread).waits_since = None;
        return wait_a_little(cx);
    }
    let unwind = cx.raise(ErrorClass::Fatal, "No live threads left. Deadlock?");
    let main = cx.root("main thread");
    if main == cx.thread {
        return Err(unwind);
    }
    if let Ok(exception) = cx.take_exception(unwind) {
        pending::raise_in(cx, main, exception);
    }
    Ok(())
}

/// Deadlocks are none of our business: only a signal can end this one.
fn wait_a_little(cx: &mut Cx) -> R<()> {
    const LITTLE: u64 = 100_000_000;
    let until = host::clock::monotonic_nanoseconds() + LITTLE;
    let vm = cx.vm();
    let seen = vm.parking.generation();
    blocking(cx, || vm.parking.wait(seen, until));
    cx.safepoint()
}

/// Nanoseconds of the monotonic clock `seconds` from now; `None` for never.
pub fn deadline_after(seconds: Option<f64>) -> Option<u64> {
    let seconds = seconds?;
    Some(host::clock::monotonic_nanoseconds().saturating_add((seconds.max(0.0) * 1e9) as u64))
}
