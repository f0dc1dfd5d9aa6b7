//! Giving the global lock away: while a thread waits for something outside of Ruby, and to let other threads run.

use object::string::Str;

use super::thread_state::{ThreadStatus, is_alive, state};
use crate::{
    Cx,
    sampling::{
        self,
        thread_hook::{self, ThreadMoment},
    },
    state::{attention::Attention, lock::GlobalLock},
};

/// Runs code that may block without the global lock; it must not access Ruby objects.
pub fn blocking<T>(cx: &mut Cx, body: impl FnOnce() -> T) -> T {
    heap::with_registers_on_stack(|low| {
        cx.native_low = low as usize;
        blocking_below(cx, body, GlobalLock::release_for_call, |_| None)
    })
}

/// Like `blocking`, with the bytes of a String. They are copied or shared only if another thread could change the
/// String meanwhile.
pub fn blocking_with_bytes<T>(cx: &mut Cx, string: Str, body: impl FnOnce(&[u8]) -> T) -> T {
    if has_others(cx) {
        let held = string.held_for_output(cx);
        return blocking(cx, || body(&held));
    }
    // SAFETY: the String is on the stack until after the call, and nothing runs meanwhile that could change it.
    let bytes = unsafe { string.unguarded() };
    let result = blocking(cx, || body(bytes));
    std::hint::black_box(string);
    result
}

/// Like `blocking`, for a body that may return a ticket for the lock.
pub fn blocking_until_called(cx: &mut Cx, body: impl FnOnce() -> Option<u64>) {
    heap::with_registers_on_stack(|low| {
        cx.native_low = low as usize;
        blocking_below(cx, body, |lock, _| lock.release(), |ticket| *ticket);
    });
}

/// Runs `body` without the lock after storing the registers on the stack, so that collections of other threads can scan
/// it.
fn blocking_below<T>(
    cx: &mut Cx,
    body: impl FnOnce() -> T,
    release: impl FnOnce(&'static GlobalLock, &Attention),
    ticket: impl FnOnce(&T) -> Option<u64>,
) -> T {
    let lock = cx.lock();
    let thread = cx.thread;
    // The status of a thread that has already ended, and is notifying a fiber scheduler, does not change.
    let before = is_alive(thread).then(|| std::mem::replace(&mut state(cx, thread).status, ThreadStatus::Sleeping));
    sampling::waits(cx);
    release(lock, &cx.attention);
    let result = body();
    sampling::wants_lock(cx);
    match ticket(&result) {
        Some(ticket) => lock.claim(&cx.attention, ticket),
        None => lock.acquire(&cx.attention),
    }
    sampling::runs(cx);
    cx.native_low = 0;
    if let Some(before) = before {
        state(cx, thread).status = before;
    }
    result
}

/// Access to Ruby for code that runs without the global lock.
pub struct Unlocked {
    cx: *mut Cx,
}

impl Unlocked {
    /// Runs `body` with the global lock.
    pub fn with_lock<T>(&self, body: impl FnOnce(&mut Cx) -> T) -> T {
        // SAFETY: `blocking_with_return`, which is below on this thread's stack, holds the only reference to the
        // context and does not use it until its `body` has returned.
        let cx = unsafe { &mut *self.cx };
        let lock = cx.lock();
        let low = cx.native_low;
        sampling::wants_lock(cx);
        lock.acquire(&cx.attention);
        sampling::runs(cx);
        cx.native_low = 0;
        let result = body(cx);
        cx.native_low = low;
        sampling::waits(cx);
        lock.release();
        result
    }
}

/// Like `blocking`, for code that must run Ruby in between.
pub fn blocking_with_return<T>(cx: &mut Cx, body: impl FnOnce(&Unlocked) -> T) -> T {
    let unlocked = Unlocked { cx };
    blocking(cx, || body(&unlocked))
}

/// Lets other threads run that wait for the lock. Those that sleep, or wait for something outside of
/// Ruby, cost nothing.
#[inline(never)]
pub fn pass(cx: &mut Cx) {
    let lock = cx.lock();
    if !lock.is_contended() {
        return;
    }
    heap::with_registers_on_stack(|low| {
        cx.native_low = low as usize;
        thread_hook::notify(cx, ThreadMoment::Suspended);
        sampling::wants_lock(cx);
        lock.release();
        lock.acquire(&cx.attention);
        sampling::runs(cx);
        cx.native_low = 0;
    });
}

/// Passes the lock to the thread that has waited longest, if there is one: for use after a long native operation.
pub fn pass_if_contended(cx: &mut Cx) {
    if cx.vm().lock.is_contended() {
        pass(cx);
    }
}

/// Passes the lock on after a native operation that was short, unless this thread has just got the lock.
pub fn pass_if_due(cx: &mut Cx) {
    if cx.lock().is_due() {
        pass(cx);
    }
}

/// Whether there are other threads than this one.
pub fn has_others(cx: &Cx) -> bool {
    cx.vm().contexts.len() > 1
}
