//! Notifying the main thread that a signal was recorded.

use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::{Cx, cx::Interrupts};

static MAIN: AtomicPtr<AtomicU32> = AtomicPtr::new(std::ptr::null_mut());

/// Makes this context handle recorded signals at its next safepoint.
pub fn listen(cx: &mut Cx) {
    MAIN.store(&raw mut cx.interrupts, Ordering::Release);
    host::signal::set_notifier(notify);
}

fn notify() {
    let main = MAIN.load(Ordering::Acquire);
    if !main.is_null() {
        // SAFETY: the main context lives as long as the process; storing to an atomic is allowed in a signal handler.
        unsafe { (*main).fetch_or(Interrupts::SIGNAL, Ordering::Relaxed) };
    }
}
