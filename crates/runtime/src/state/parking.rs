//! The threads that wait for an action of another, see `concurrency::parking`.

use std::sync::Arc;

use abi::Value;
use host::thread::{Condvar, Mutex};

use super::lock::GlobalLock;

struct Waiter {
    context: usize,
    /// The object it waits for, as bits: nil for any.
    about: u64,
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

#[derive(Default)]
struct State {
    /// The number of notifications of all waiters by code without the global lock.
    calls: u64,
    waiters: Vec<Waiter>,
}

#[derive(Default)]
pub struct Parking {
    state: Mutex<State>,
}

impl Parking {
    /// Wakes every waiter, from a thread that may not hold the global lock.
    pub fn wake_all(&self) {
        let mut state = self.state.lock();
        state.calls += 1;
        state.waiters.iter_mut().for_each(Waiter::notify);
    }

    /// Wakes the thread of a context.
    pub fn wake(&self, context: usize) {
        self.state.lock().waiters.iter_mut().filter(|w| w.context == context).for_each(Waiter::notify);
    }

    /// Wakes waiters of an object, at most `most` that have no notification yet, and always those that wait for any.
    /// Returns how many more may be woken.
    pub(crate) fn wake_about(&self, lock: &'static GlobalLock, about: Value, mut most: usize) -> usize {
        for waiter in &mut self.state.lock().waiters {
            if waiter.about == Value::NIL.0 {
                waiter.notify_in_turn(lock);
            } else if (about.is_nil() || waiter.about == about.0) && !waiter.is_notified && most > 0 {
                most -= 1;
                waiter.notify_in_turn(lock);
            }
        }
        most
    }

    pub(crate) fn calls(&self) -> u64 {
        self.state.lock().calls
    }

    /// Puts a thread that holds the global lock on the list.
    pub(crate) fn enter(&self, context: usize, about: Value, needs_others: bool, calls: u64) {
        let mut state = self.state.lock();
        let is_notified = state.calls != calls;
        let about = about.0;
        let (is_asleep, ticket, turn) = (false, None, Arc::default());
        state.waiters.push(Waiter { context, about, needs_others, is_notified, is_asleep, ticket, turn });
    }

    /// Sleeps until a notification or `deadline` (nanoseconds of the monotonic clock). The ticket for the global lock,
    /// if there is one, must be claimed.
    pub(crate) fn sleep(&self, context: usize, deadline: u64) -> Option<u64> {
        let mut state = self.state.lock();
        loop {
            let waiter = state.waiters.iter_mut().find(|w| w.context == context)?;
            waiter.is_asleep = !waiter.is_notified;
            if waiter.is_notified {
                return waiter.ticket;
            }
            let turn = waiter.turn.clone();
            let (again, timed_out) = turn.wait_until(state, deadline);
            state = again;
            let waiter = state.waiters.iter_mut().find(|w| w.context == context)?;
            if timed_out && !waiter.is_notified {
                waiter.is_asleep = false;
                return None;
            }
        }
    }

    pub(crate) fn leave(&self, context: usize) {
        self.state.lock().waiters.retain(|w| w.context != context);
    }

    /// The contexts that only another thread can wake.
    pub(crate) fn waiting_for_others(&self) -> Vec<usize> {
        let state = self.state.lock();
        state.waiters.iter().filter(|w| w.needs_others && !w.is_notified).map(|w| w.context).collect()
    }
}
