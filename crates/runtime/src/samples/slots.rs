//! The slots in use, and those that can be reused.

use host::thread::{Mutex, MutexGuard};

use super::slot::Slot;

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

/// A slot that no thread has.
pub(crate) fn take() -> &'static Slot {
    let mut slots = SLOTS.lock();
    let slot = slots.unused.pop().unwrap_or_else(|| Box::leak(Box::new(Slot::new())));
    slots.used.push(slot);
    slot
}

pub(crate) fn give_back(slot: &'static Slot) {
    let mut slots = SLOTS.lock();
    slots.used.retain(|used| !std::ptr::eq(*used, slot));
    slots.unused.push(slot);
}

/// For a forked child, which has no other threads, and no timers.
pub(crate) fn forget_all() {
    let mut slots = SLOTS.lock();
    let used = std::mem::take(&mut slots.used);
    used.iter().for_each(|slot| slot.forget_timer());
    slots.unused.extend(used);
}
