//! Notifying threads that a signal was recorded, or that a job of an extension waits.

use std::sync::atomic::{AtomicPtr, Ordering};

use crate::{Cx, cx::Interrupts};

static MAIN: AtomicPtr<Cx> = AtomicPtr::new(std::ptr::null_mut());

/// Makes this context handle recorded signals at its next safepoint.
pub fn listen(cx: &mut Cx) {
    MAIN.store(cx, Ordering::Release);
    host::signal::set_notifier(notify);
}

/// Makes the main thread, and the calling thread if it runs Ruby, run the jobs of extensions at their next safepoints.
/// May be called by a signal handler, and by any thread.
pub fn request_jobs() {
    let main = MAIN.load(Ordering::Acquire);
    // SAFETY: the main context lives as long as the process, and a thread's own context as long as the thread runs
    // Ruby; what is stored to is atomic.
    unsafe {
        if !main.is_null() {
            (*main).interrupt(Interrupts::JOBS);
        }
        if let Some(own) = Cx::of_this_thread().as_ref() {
            own.interrupt(Interrupts::JOBS);
        }
    }
}

fn notify() {
    let main = MAIN.load(Ordering::Acquire);
    if !main.is_null() {
        // SAFETY: the main context lives as long as the process; storing to an atomic is allowed in a signal handler.
        unsafe { (*main).interrupt(Interrupts::SIGNAL) };
    }
}
