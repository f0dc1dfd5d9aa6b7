//! The end of a Ractor: its threads end, its ports close, and its monitors are notified.

use abi::Value;
use object::{array::Arr, symbol::table::intern_text};

use super::port;
use crate::{
    Cx, call,
    concurrency::{
        parking, pending,
        thread_state::{ThreadStatus, state as thread_state},
    },
    make,
    state::ractor::{LIVING, Outcome, main, state},
    unwind::Unwinding,
};

/// Whether the end of the thread ends a Ractor other than the main one.
pub fn is_main_thread(cx: &mut Cx, thread: Value) -> bool {
    let ractor = thread_state(cx, thread).ractor;
    !ractor.is_nil() && ractor != main(cx) && state(cx, ractor).main_thread == thread
}

/// Ends the Ractor of this main thread: kills its other threads, whose ensure clauses run.
pub fn end_threads(cx: &mut Cx, thread: Value) {
    let ractor = thread_state(cx, thread).ractor;
    let all = Arr::of(cx.root(crate::Root::Threads));
    let others = make::array(cx, &[]);
    let mut i = 0;
    while let Some(other) = all.get(i) {
        let own = thread_state(cx, other);
        if other != thread && own.ractor == ractor && own.is_alive() {
            make::push(cx, others, other);
            pending::raise_in(cx, other, Value::NIL);
        }
        i += 1;
    }
    // The thread is ending: its scheduler, whose hooks might raise, is already closed.
    let _ = parking::wait_uninterrupted(cx, Value::NIL, |cx| {
        Arr::of(others).iter().all(|other| !thread_state(cx, other).is_alive())
    });
    flush(cx, ractor);
}

/// Flushes the main Ractor's output first, so that the output of the ending Ractor comes after it.
fn flush(cx: &mut Cx, ractor: Value) {
    let name = intern_text(cx, "flush");
    let [_, output, errors] = state(cx, ractor).streams;
    let before = cx.root(crate::Root::Stdout);
    for stream in [before, output, errors] {
        if !stream.is_nil() && call::send(cx, stream, name, &[]).is_err() {
            cx.unwinding = Unwinding::none();
        }
    }
}

/// The Ractor's main thread has ended, and so the Ractor has.
pub fn finish(cx: &mut Cx, thread: Value) {
    let (ractor, value, status) = {
        let own = thread_state(cx, thread);
        (own.ractor, own.value, own.status)
    };
    let outcome = if status == ThreadStatus::Failed { Outcome::Aborted } else { Outcome::Exited };
    let own = state(cx, ractor);
    own.value = value;
    own.outcome = Some(outcome);
    let monitors = std::mem::replace(&mut own.monitors, Value::NIL);
    let _ = Arr::of(cx.root(LIVING)).retain(cx, |living| living != ractor);
    let mut i = 0;
    while let Some(watcher) = Arr::of(monitors).get(i) {
        notify(cx, watcher, outcome);
        i += 1;
    }
    if parking::notify(cx).is_err() {
        cx.unwinding = Unwinding::none(); // Nothing of this Ractor is left that could rescue an exception of a hook.
    }
}

/// Sends a port the symbol of an outcome; does nothing if it is closed.
pub fn notify(cx: &mut Cx, watcher: Value, outcome: Outcome) {
    let word = intern_text(cx, if outcome == Outcome::Aborted { "aborted" } else { "exited" });
    if port::state(cx, watcher).is_ok_and(|own| !own.is_closed()) {
        let _ = port::post(cx, watcher, word.value());
    }
}

/// After a fork: the other Ractors have ended, and the running one is the main Ractor, whose main thread is this one.
pub fn forget_others(cx: &mut Cx) {
    let own = cx.ractor;
    let living = cx.root(LIVING);
    if own.is_nil() || living.is_nil() {
        return;
    }
    let mut i = 0;
    while let Some(other) = Arr::of(living).get(i) {
        if other != own {
            state(cx, other).outcome = Some(Outcome::Exited);
        }
        i += 1;
    }
    let left = make::array(cx, &[own]);
    cx.set_root(LIVING, left);
    let thread = cx.thread;
    state(cx, own).main_thread = thread;
}
