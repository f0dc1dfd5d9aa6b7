//! A function that is called when threads start, stop and wait for the global lock.

use std::sync::atomic::{AtomicPtr, Ordering};

use crate::Cx;

/// What a thread does. Only `Resumed` holds the global lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadMoment {
    Started,
    /// It waits for the global lock.
    Ready,
    /// It has the global lock.
    Resumed,
    /// It is about to release the global lock.
    Suspended,
    Exited,
}

/// It must not run Ruby or allocate.
pub type Hook = fn(&Cx, ThreadMoment);

static HOOK: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Sets or removes the function.
pub fn set(hook: Option<Hook>) {
    HOOK.store(hook.map_or(std::ptr::null_mut(), |hook| hook as *mut ()), Ordering::Release);
}

#[inline]
pub(crate) fn notify(cx: &Cx, moment: ThreadMoment) {
    let hook = HOOK.load(Ordering::Acquire);
    if !hook.is_null() {
        call(hook, cx, moment);
    }
}

#[cold]
fn call(hook: *mut (), cx: &Cx, moment: ThreadMoment) {
    // SAFETY: `set` stored a function of this type.
    let hook = unsafe { std::mem::transmute::<*mut (), Hook>(hook) };
    hook(cx, moment);
}
