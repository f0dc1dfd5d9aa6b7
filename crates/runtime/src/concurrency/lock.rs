//! The global lock: one thread runs Ruby at a time.
//!
//! Threads get the lock in the order of their requests, one at a time, so that many waiters cost the running thread
//! nothing. After a time slice, the first waiter sets the holder's interrupt flag, and the holder releases the lock at
//! its next safepoint.

use std::collections::VecDeque;
use std::sync::{Arc, atomic::Ordering};
use std::time::Duration;

use host::thread::{Condvar, Mutex};

use crate::{Cx, cx::Interrupts};

/// How long a thread may run while others wait.
const TIME_SLICE: Duration = Duration::from_millis(100);

struct State {
    is_taken: bool,
    /// The context that holds the lock, as an address; 0 if it is free or being passed on.
    holder: usize,
    /// The next ticket to give out, and the last ticket that got the lock.
    next: u64,
    served: u64,
    /// The waiters by ticket, each with its own condition variable.
    queue: VecDeque<(u64, Arc<Condvar>)>,
}

pub struct GlobalLock {
    state: Mutex<State>,
}

impl Default for GlobalLock {
    fn default() -> Self {
        GlobalLock::new(0)
    }
}

impl GlobalLock {
    fn new(holder: usize) -> GlobalLock {
        let state = State { is_taken: holder != 0, holder, next: 1, served: 0, queue: VecDeque::new() };
        GlobalLock { state: Mutex::new(state) }
    }

    /// Waits for the lock.
    pub fn acquire(&self, cx: *const Cx) {
        let mut state = self.state.lock();
        if !state.is_taken {
            state.is_taken = true;
            state.holder = cx as usize;
            return;
        }
        let (ticket, turn) = (state.next, Arc::new(Condvar::new()));
        state.next += 1;
        state.queue.push_back((ticket, turn.clone()));
        while state.served != ticket {
            if state.queue.front().is_none_or(|(first, _)| *first != ticket) {
                state = turn.wait(state);
                continue;
            }
            let deadline = host::clock::monotonic_nanoseconds() + TIME_SLICE.as_nanos() as u64;
            let (again, timed_out) = turn.wait_until(state, deadline);
            state = again;
            if timed_out && state.holder != 0 {
                // SAFETY: a context that holds the lock exists; its interrupts are atomic.
                let holder = unsafe { &*(state.holder as *const Cx) };
                holder.interrupts.fetch_or(Interrupts::SWITCH, Ordering::Relaxed);
            }
        }
        state.holder = cx as usize;
        // The next waiter starts measuring the time slice.
        if let Some((_, next)) = state.queue.front() {
            next.notify_one();
        }
    }

    /// Passes the lock to the next waiter.
    pub fn release(&self) {
        let mut state = self.state.lock();
        state.holder = 0;
        let Some((ticket, turn)) = state.queue.pop_front() else {
            state.is_taken = false;
            return;
        };
        state.served = ticket;
        drop(state);
        turn.notify_one();
    }

    /// Whether a thread waits for it.
    pub fn is_contended(&self) -> bool {
        !self.state.lock().queue.is_empty()
    }

    /// A lock held by a context, for a forked child: it has only that thread, and the state of the old lock is unknown.
    pub fn held_by(cx: *const Cx) -> GlobalLock {
        GlobalLock::new(cx as usize)
    }
}
