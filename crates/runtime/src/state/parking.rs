//! The threads that wait for an action of another, see `concurrency::parking`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use abi::Value;
use host::thread::{Condvar, Mutex};
use rustc_hash::FxHashMap;

use super::lock::GlobalLock;

struct Waiter {
    /// The object it waits for, as bits: nil for any.
    about: u64,
    /// Waiters of the same object are woken in the order of this number.
    number: u64,
    /// Only another thread can end the wait.
    needs_others: bool,
    is_notified: bool,
    /// It sleeps, at most until the notification or the deadline.
    is_asleep: bool,
    /// Its place in the queue for the global lock, which the notifying thread reserved.
    ticket: Option<u64>,
    turn: Arc<Condvar>,
}

impl Waiter {
    fn notify(&mut self) {
        self.is_notified = true;
        self.turn.notify_one();
    }

    /// Notifies the waiter from a thread that has the global lock: a sleeping thread wakes up only when its turn for
    /// the lock has come.
    fn notify_in_turn(&mut self, lock: &'static GlobalLock) {
        if self.is_asleep && !self.is_notified {
            self.ticket = lock.reserve(self.turn.clone());
        }
        self.is_notified = true;
        if self.ticket.is_none() {
            self.turn.notify_one();
        }
    }
}

/// The object, number and context of a waiter.
type Place = (u64, u64, usize);

#[derive(Default)]
struct State {
    next_number: u64,
    /// All waiters by context.
    waiters: FxHashMap<usize, Waiter>,
    /// The waiters that have no notification yet.
    expecting: BTreeSet<Place>,
    /// The waiters that were notified with all others, and have not run since.
    notified_with_all: BTreeSet<Place>,
    /// How many of those only another thread can wake.
    dependent: usize,
}

impl State {
    /// The waiter of this context, which expects no notification any more.
    fn settle(&mut self, context: usize) -> Option<&mut Waiter> {
        let waiter = self.waiters.get_mut(&context)?;
        if self.expecting.remove(&(waiter.about, waiter.number, context)) && waiter.needs_others {
            self.dependent -= 1;
        }
        Some(waiter)
    }

    fn wake_in_turn(&mut self, context: usize, lock: &'static GlobalLock) {
        if let Some(waiter) = self.settle(context) {
            waiter.notify_in_turn(lock);
        }
    }

    /// The context that has waited longest for a notification about this object.
    fn longest_waiting(&self, about: u64) -> Option<usize> {
        let of_object = self.expecting.range((about, 0, 0)..=(about, u64::MAX, usize::MAX));
        of_object.map(|(_, _, context)| *context).next()
    }
}

#[derive(Default)]
pub struct Parking {
    state: Mutex<State>,
    /// The number of notifications of all waiters by code without the global lock; changed with the state locked.
    calls: AtomicU64,
    /// The number of waiters; changed with the state and the global lock held.
    waiters: AtomicUsize,
}

impl Parking {
    /// Wakes every waiter, from a thread that may not hold the global lock.
    pub fn wake_all(&self) {
        let mut state = self.state.lock();
        self.calls.fetch_add(1, Ordering::Release);
        let places = std::mem::take(&mut state.expecting);
        state.notified_with_all.extend(places);
        state.dependent = 0;
        state.waiters.values_mut().for_each(Waiter::notify);
    }

    /// Wakes the thread of a context.
    pub fn wake(&self, context: usize) {
        if let Some(waiter) = self.state.lock().settle(context) {
            waiter.notify();
        }
    }

    /// Wakes waiters of an object, at most `most` that have no notification yet, and always those that wait for any.
    /// For nil, it wakes all. Calls `woken` with the contexts of those that waited for this object; returns how many
    /// more may be woken.
    pub(crate) fn wake_about(
        &self,
        lock: &'static GlobalLock,
        about: Value,
        mut most: usize,
        mut woken: impl FnMut(usize),
    ) -> usize {
        // Threads begin and end to wait with the global lock, which this one holds.
        if self.waiters.load(Ordering::Relaxed) == 0 {
            return most;
        }
        let mut state = self.state.lock();
        if about.is_nil() {
            let mut places: Vec<Place> = state.expecting.iter().copied().collect();
            places.sort_unstable_by_key(|(_, number, _)| *number);
            for (_, _, context) in &places {
                state.wake_in_turn(*context, lock);
            }
            state.notified_with_all.extend(places);
            return most;
        }
        while let Some(context) = state.longest_waiting(Value::NIL.0) {
            state.wake_in_turn(context, lock);
        }
        while most > 0
            && let Some(context) = state.longest_waiting(about.0)
        {
            most -= 1;
            state.wake_in_turn(context, lock);
            woken(context);
        }
        if most > 0 && !state.notified_with_all.is_empty() {
            let of_object = state.notified_with_all.range((about.0, 0, 0)..=(about.0, u64::MAX, usize::MAX));
            of_object.take(most).for_each(|(_, _, context)| woken(*context));
        }
        most
    }

    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Acquire)
    }

    /// Registers a thread that holds the global lock as a waiter.
    pub(crate) fn enter(&self, context: usize, about: Value, needs_others: bool, calls: u64) {
        let mut state = self.state.lock();
        let is_notified = self.calls.load(Ordering::Acquire) != calls;
        let (about, number) = (about.0, state.next_number);
        state.next_number += 1;
        let place = (about, number, context);
        if is_notified {
            state.notified_with_all.insert(place);
        } else {
            state.expecting.insert(place);
            state.dependent += usize::from(needs_others);
        }
        let (is_asleep, ticket, turn) = (false, None, Arc::default());
        let waiter = Waiter { about, number, needs_others, is_notified, is_asleep, ticket, turn };
        state.waiters.insert(context, waiter);
        self.waiters.store(state.waiters.len(), Ordering::Relaxed);
    }

    /// Sleeps until a notification or `deadline` (nanoseconds of the monotonic clock). The ticket for the global lock,
    /// if there is one, must be claimed.
    pub(crate) fn sleep(&self, context: usize, deadline: u64) -> Option<u64> {
        let mut state = self.state.lock();
        loop {
            let waiter = state.waiters.get_mut(&context)?;
            waiter.is_asleep = !waiter.is_notified;
            if waiter.is_notified {
                return waiter.ticket;
            }
            let turn = waiter.turn.clone();
            let (again, timed_out) = turn.wait_until(state, deadline);
            state = again;
            let waiter = state.waiters.get_mut(&context)?;
            if timed_out && !waiter.is_notified {
                waiter.is_asleep = false;
                return None;
            }
        }
    }

    pub(crate) fn leave(&self, context: usize) {
        let mut state = self.state.lock();
        state.settle(context);
        if let Some(waiter) = state.waiters.remove(&context) {
            state.notified_with_all.remove(&(waiter.about, waiter.number, context));
        }
        self.waiters.store(state.waiters.len(), Ordering::Relaxed);
    }

    /// How many threads only another thread can wake.
    pub(crate) fn dependent(&self) -> usize {
        self.state.lock().dependent
    }

    /// The object for whose change the thread of this context waits.
    pub(crate) fn about(&self, context: usize) -> Option<Value> {
        self.state.lock().waiters.get(&context).map(|waiter| Value(waiter.about))
    }

    /// Whether only another thread can wake the thread of this context.
    pub(crate) fn is_dependent(&self, context: usize) -> bool {
        self.state.lock().waiters.get(&context).is_some_and(|waiter| waiter.needs_others && !waiter.is_notified)
    }
}
