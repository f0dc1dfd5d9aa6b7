//! Waiting for something that another thread does.
//!
//! Whoever changes what others may wait for says what it was, with the global lock held; those who wait for that look at their own condition again.
//! A thread that waits without a limit and has not been told anything since can only be helped by another: when that is so of all, it is a deadlock.

use std::sync::Arc;

use abi::Value;
use host::thread::{Condvar, Mutex};
use object::array::Arr;

use super::{
    pending, scheduler,
    thread::{blocking, state},
    waker,
};
use crate::{Cx, R, error::ErrorClass};

struct Waiter {
    context: usize,
    /// What it waits for, as bits of the object: nil for anything.
    about: u64,
    /// Only another thread can end its wait.
    needs_others: bool,
    is_told: bool,
    turn: Arc<Condvar>,
}

impl Waiter {
    fn tell(&mut self) {
        self.is_told = true;
        self.turn.notify_one();
    }
}

#[derive(Default)]
struct State {
    /// How often somebody without the global lock told all.
    calls: u64,
    waiters: Vec<Waiter>,
}

#[derive(Default)]
pub struct Parking {
    state: Mutex<State>,
}

impl Parking {
    /// Wakes every waiter, from a thread that may not hold the global lock.
    pub fn wake_all(&self) {
        let mut state = self.state.lock();
        state.calls += 1;
        state.waiters.iter_mut().for_each(Waiter::tell);
    }

    /// Wakes the thread of a context.
    pub fn wake(&self, context: usize) {
        self.state.lock().waiters.iter_mut().filter(|w| w.context == context).for_each(Waiter::tell);
    }

    /// Wakes those who wait for a thing, at most so many that have not been told yet; those who wait for anything always. How many more there may be.
    fn wake_about(&self, about: Value, mut most: usize) -> usize {
        for waiter in &mut self.state.lock().waiters {
            if waiter.about == Value::NIL.0 {
                waiter.tell();
            } else if (about.is_nil() || waiter.about == about.0) && !waiter.is_told && most > 0 {
                most -= 1;
                waiter.tell();
            }
        }
        most
    }

    fn calls(&self) -> u64 {
        self.state.lock().calls
    }

    /// Puts a thread that holds the global lock on the list.
    fn enter(&self, context: usize, about: Value, needs_others: bool, calls: u64) {
        let mut state = self.state.lock();
        let is_told = state.calls != calls;
        state.waiters.push(Waiter { context, about: about.0, needs_others, is_told, turn: Arc::default() });
    }

    /// Sleeps until it is told or until `deadline` (nanoseconds of the monotonic clock).
    fn sleep(&self, context: usize, deadline: u64) {
        let mut state = self.state.lock();
        while let Some(waiter) = state.waiters.iter().find(|w| w.context == context && !w.is_told) {
            let turn = waiter.turn.clone();
            let (again, timed_out) = turn.wait_until(state, deadline);
            state = again;
            if timed_out {
                return;
            }
        }
    }

    fn leave(&self, context: usize) {
        self.state.lock().waiters.retain(|w| w.context != context);
    }

    /// The contexts that only others can help.
    fn helpless(&self) -> Vec<usize> {
        let state = self.state.lock();
        state.waiters.iter().filter(|w| w.needs_others && !w.is_told).map(|w| w.context).collect()
    }
}

/// Without a deadline a waiter looks up now and then all the same.
const LONG: u64 = 60_000_000_000;

/// Something changed that other threads may wait for.
pub fn notify(cx: &mut Cx) {
    wake_about(cx, Value::NIL, usize::MAX);
}

/// An object changed that other threads may wait for.
pub fn notify_about(cx: &mut Cx, about: Value) {
    wake_about(cx, about, usize::MAX);
}

/// An object changed so that one of those who wait for it can go on. Who is told and does not use it has to pass it on.
pub fn notify_one(cx: &mut Cx, about: Value) {
    wake_about(cx, about, 1);
}

/// Threads first, then fibers that a scheduler waits for.
fn wake_about(cx: &mut Cx, about: Value, most: usize) {
    let most = cx.vm().parking.wake_about(about, most);
    scheduler::tell(cx, about, most);
}

/// Waits until `ready` (true) or the deadline (false), looking again when what it is `about` (nil: anything) has changed. Signals, Thread#raise and
/// the like are taken up in between.
///
/// # Errors
/// `fatal` when every thread waits for another.
pub fn wait_until(cx: &mut Cx, about: Value, deadline: Option<u64>, ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    wait(cx, about, deadline, deadline.is_none(), ready)
}

/// The same, but without a deadline it may last for ever: somebody outside may end it.
pub fn wait_for_anybody(cx: &mut Cx, deadline: Option<u64>, ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    wait(cx, Value::NIL, deadline, false, ready)
}

/// The same for a change of `about`, without a deadline.
pub fn wait_for_anybody_about(cx: &mut Cx, about: Value, ready: impl FnMut(&mut Cx) -> bool) -> R<()> {
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
            return Ok(true); // By what ran meanwhile.
        }
        if needs_others && is_deadlock(cx) {
            report_deadlock(cx)?;
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
    let vm = cx.vm();
    vm.parking.enter(context, about, needs_others, calls);
    blocking(cx, || vm.parking.sleep(context, until));
    vm.parking.leave(context);
}

/// Waits until `ready`, whatever comes; signals and what is pending stay for later. Control may go to other fibers meanwhile.
///
/// # Errors
/// What a scheduler's hook raised meanwhile.
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

/// Does every thread of the Ractor wait for another, of which none has been told anything?
fn is_deadlock(cx: &mut Cx) -> bool {
    if host::signal::has_pending() {
        return false;
    }
    let threads = cx.root("threads");
    if threads.is_nil() {
        return true;
    }
    let helpless = cx.vm().parking.helpless();
    if helpless.len() + 1 < cx.vm().contexts.len() && !cx.vm().ractors_used {
        return false;
    }
    let (own, ractor) = (cx.thread, cx.ractor);
    let mut i = 0;
    while let Some(thread) = Arr::of(threads).get(i) {
        let s = state(cx, thread);
        let is_pending = !s.pending.is_nil() && !Arr::of(s.pending).is_empty();
        if s.ractor == ractor && s.is_alive() && thread != own && (is_pending || !helpless.contains(&s.context)) {
            return false;
        }
        i += 1;
    }
    true
}

/// Raises `fatal` in the Ractor's main thread.
fn report_deadlock(cx: &mut Cx) -> R<()> {
    if cx.root("Thread.ignore_deadlock").truthy() {
        return wait_a_little(cx);
    }
    let unwind = cx.raise(ErrorClass::Fatal, "No live threads left. Deadlock?");
    let main = super::ractor::main_thread(cx);
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
    let (context, calls) = (cx as *const Cx as usize, cx.vm().parking.calls());
    sleep(cx, context, Value::NIL, false, calls, until);
    cx.safepoint()
}

/// Nanoseconds of the monotonic clock `seconds` from now; `None` for never.
pub fn deadline_after(seconds: Option<f64>) -> Option<u64> {
    let seconds = seconds?;
    Some(host::clock::monotonic_nanoseconds().saturating_add((seconds.max(0.0) * 1e9) as u64))
}
