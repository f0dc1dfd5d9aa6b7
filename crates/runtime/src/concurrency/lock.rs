//! The global lock: one thread runs Ruby at a time.
//!
//! Tickets make it fair. A thread that waits longer than a time slice asks the holder, through its interrupts, to let go at its next safepoint.

use std::sync::atomic::Ordering;
use std::time::Duration;

use host::thread::{Condvar, Mutex};

use crate::{Cx, cx::Interrupts};

/// How long a thread may run while others wait.
const TIME_SLICE: Duration = Duration::from_millis(100);

struct State {
    /// The next ticket to give out, and the one being served.
    next: u64,
    serving: u64,
    /// The context that holds the lock, as an address; 0 while it is free.
    holder: usize,
}

pub struct GlobalLock {
    state: Mutex<State>,
    changed: Condvar,
}

impl Default for GlobalLock {
    fn default() -> Self {
        GlobalLock { state: Mutex::new(State { next: 0, serving: 0, holder: 0 }), changed: Condvar::new() }
    }
}

impl GlobalLock {
    /// Waits for the lock.
    pub fn acquire(&self, cx: *const Cx) {
        let mut state = self.state.lock();
        let ticket = state.next;
        state.next += 1;
        while state.serving != ticket {
            let deadline = host::clock::monotonic_nanoseconds() + TIME_SLICE.as_nanos() as u64;
            let (again, timed_out) = self.changed.wait_until(state, deadline);
            state = again;
            if timed_out && state.holder != 0 {
                // SAFETY: contexts are leaked; the interrupts are atomic.
                let holder = unsafe { &*(state.holder as *const Cx) };
                holder.interrupts.fetch_or(Interrupts::SWITCH, Ordering::Relaxed);
            }
        }
        state.holder = cx as usize;
    }

    /// Lets the next one have it.
    pub fn release(&self) {
        let mut state = self.state.lock();
        state.holder = 0;
        state.serving += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Is somebody waiting?
    pub fn is_contended(&self) -> bool {
        let state = self.state.lock();
        state.next > state.serving + 1
    }

    /// A lock that a context holds: in a forked child only that thread is left, and nobody knows what the others did with the old one.
    pub fn held_by(cx: *const Cx) -> GlobalLock {
        let state = State { next: 1, serving: 0, holder: cx as usize };
        GlobalLock { state: Mutex::new(state), changed: Condvar::new() }
    }
}
