//! Waiting for something that another thread does.
//!
//! One condition variable serves all: whoever changes what others may wait for calls [`notify`]; each waiter looks at its own condition again.

use host::thread::{Condvar, Mutex};

use super::thread::{ThreadStatus, blocking, state};
use crate::{Cx, R};

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

/// Something changed that other threads may wait for.
pub fn notify(cx: &Cx) {
    cx.vm().parking.bump();
}

/// Waits until `ready` (true) or the deadline (false). Signals, Thread#raise and the like are taken up in between.
pub fn wait_until(cx: &mut Cx, deadline: Option<u64>, mut ready: impl FnMut(&mut Cx) -> bool) -> R<bool> {
    /// Without a deadline it looks up now and then all the same.
    const LONG: u64 = 1_000_000_000;
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
        let until = deadline.unwrap_or(now + LONG);
        if !thread.is_nil() {
            state(cx, thread).status = ThreadStatus::Sleeping;
        }
        let vm = cx.vm();
        blocking(cx, || vm.parking.wait(seen, until));
        if !thread.is_nil() {
            state(cx, thread).status = ThreadStatus::Runnable;
        }
        super::thread::handle_pending(cx)?;
        cx.safepoint()?;
    }
}

/// Nanoseconds of the monotonic clock `seconds` from now; `None` for never.
pub fn deadline_after(seconds: Option<f64>) -> Option<u64> {
    let seconds = seconds?;
    Some(host::clock::monotonic_nanoseconds().saturating_add((seconds.max(0.0) * 1e9) as u64))
}
