//! Functions that are called when threads start, stop and wait for the global lock.

use std::sync::atomic::{AtomicPtr, Ordering};

use abi::Value;

use crate::Cx;

/// What the running thread does. Only in `Resumed` it holds the global lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadMoment {
    /// It waits for the global lock.
    Ready,
    /// It has the global lock.
    Resumed,
    /// It is about to release the global lock.
    Suspended,
    Exited,
}

pub struct ThreadHooks {
    /// Called by the thread that starts another one, with the new Thread object. The caller holds the global lock.
    pub started: fn(&mut Cx, Value),
    /// It must not run Ruby or allocate.
    pub moment: fn(&Cx, ThreadMoment),
}

static HOOKS: AtomicPtr<ThreadHooks> = AtomicPtr::new(std::ptr::null_mut());

/// Sets or removes the functions.
pub fn set(hooks: Option<&'static ThreadHooks>) {
    let hooks = hooks.map_or(std::ptr::null_mut(), |hooks| std::ptr::from_ref(hooks).cast_mut());
    HOOKS.store(hooks, Ordering::Release);
}

#[inline]
fn hooks() -> Option<&'static ThreadHooks> {
    // SAFETY: `set` stored a reference with this lifetime, or null.
    unsafe { HOOKS.load(Ordering::Acquire).as_ref() }
}

#[inline]
pub(crate) fn notify(cx: &Cx, moment: ThreadMoment) {
    if let Some(hooks) = hooks() {
        (hooks.moment)(cx, moment);
    }
}

/// This thread starts another one.
pub(crate) fn started(cx: &mut Cx, thread: Value) {
    if let Some(hooks) = hooks() {
        (hooks.started)(cx, thread);
    }
}
