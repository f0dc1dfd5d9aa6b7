//! The clock of the profiler: a native thread that runs no Ruby and requests samples from the threads.
//!
//! Timers on the processor time of threads (`timer_create`) were rejected: the kernel checks them only at its own tick,
//! 250 times a second on common kernels, however short their interval is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use host::{
    clock::{monotonic_nanoseconds, sleep_until},
    thread::{Mutex, MutexGuard, Thread},
};

use super::slot::Slot;

const STACK: usize = 64 << 10;

/// The slots in use, and those that can be reused.
#[derive(Default)]
struct Slots {
    used: Vec<&'static Slot>,
    unused: Vec<&'static Slot>,
}

static SLOTS: Mutex<Slots> = Mutex::new(Slots { used: Vec::new(), unused: Vec::new() });

/// Keeps the list of slots locked.
pub(crate) struct Held(#[allow(dead_code, reason = "held for its drop")] MutexGuard<'static, Slots>);

impl Drop for Held {
    fn drop(&mut self) {}
}

pub(crate) fn lock() -> Held {
    Held(SLOTS.lock())
}

pub(crate) fn unused() -> Option<&'static Slot> {
    SLOTS.lock().unused.pop()
}

pub(crate) fn add(slot: &'static Slot) {
    SLOTS.lock().used.push(slot);
}

/// After this no signal is sent for the slot.
pub(crate) fn remove(slot: &'static Slot) {
    let mut slots = SLOTS.lock();
    slots.used.retain(|used| !std::ptr::eq(*used, slot));
    slots.unused.push(slot);
}

/// For a forked child, which has no other threads.
pub(crate) fn forget_all() {
    let mut slots = SLOTS.lock();
    let used = std::mem::take(&mut slots.used);
    slots.unused.extend(used);
}

pub(crate) struct Clock {
    ends: Arc<AtomicBool>,
    thread: Option<Thread>,
}

impl Clock {
    pub(crate) fn start(interval: Duration) -> host::Result<Clock> {
        let ends = Arc::new(AtomicBool::new(false));
        let shared = Arc::clone(&ends);
        let interval = (interval.as_nanos() as u64).max(1);
        let thread = host::thread::spawn("profiler", STACK, move || run(&shared, interval))?;
        Ok(Clock { ends, thread: Some(thread) })
    }

    /// Waits until the clock sends no more signals.
    pub(crate) fn stop(&mut self) {
        self.ends.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.join();
        }
    }
}

fn run(ends: &AtomicBool, interval: u64) {
    let _signals = host::signal::block_all();
    let mut next = monotonic_nanoseconds() + interval;
    while !ends.load(Ordering::Acquire) {
        let _ = sleep_until(next);
        SLOTS.lock().used.iter().for_each(|slot| slot.tick());
        let now = monotonic_nanoseconds();
        // A missed tick is not repeated: weights are measured.
        next = (next + interval).max(now.saturating_sub(interval));
        if next <= now {
            next = now + interval;
        }
    }
}
