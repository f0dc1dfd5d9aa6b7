//! The global lock: one thread runs Ruby at a time.
//!
//! Threads get the lock in the order of their requests, one at a time, so that many waiters cost the running thread
//! nothing. While threads wait, another thread measures: after a time slice it sets the holder's interrupt flag, and
//! the holder releases the lock at its next safepoint.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use host::thread::{Condvar, Mutex, MutexGuard};

use super::attention::{Attention, Interrupts};

/// A thread may run between one and two of these, in nanoseconds, while others wait.
const TIME_SLICE: u64 = 10_000_000;
/// After this time, in nanoseconds, the holder gives the lock away where it can do so cheaply.
const TURN: u64 = 5_000_000;
/// After this many slices without a waiter, nothing is measured until there is one.
const IDLE_SLICES: u32 = 50;
/// A waiter interrupts the holder itself after this time, in nanoseconds, in case no thread measures.
const LONG: u64 = 1_000_000_000;
const STACK: usize = 64 << 10;

/// The thread that measures time slices.
#[derive(Clone, Copy, PartialEq)]
enum Watch {
    Absent,
    Idle,
    Measuring,
}

struct State {
    is_taken: bool,
    /// The address of the attention of the thread that holds the lock; 0 if it is free or being passed on.
    holder: usize,
    /// The next ticket to give out, and the last ticket that got the lock.
    next: u64,
    served: u64,
    /// The waiters in the order of their tickets, each with its own condition variable.
    queue: VecDeque<(u64, Arc<Condvar>)>,
    watch: Watch,
}

impl State {
    fn interrupt_holder(&self) {
        if self.holder != 0 {
            // SAFETY: the context of a thread that holds the lock exists, and its attention, which is atomic, is part
            // of it.
            let holder = unsafe { &*(self.holder as *const Attention) };
            holder.request(Interrupts::SWITCH);
        }
    }
}

pub struct GlobalLock {
    state: Mutex<State>,
    /// When the lock was taken.
    since: AtomicU64,
    /// Notified when something has to be measured.
    watch: Condvar,
}

impl Default for GlobalLock {
    fn default() -> Self {
        GlobalLock::new(0)
    }
}

impl GlobalLock {
    fn new(holder: usize) -> GlobalLock {
        let (queue, watch) = (VecDeque::new(), Watch::Absent);
        let state = State { is_taken: holder != 0, holder, next: 1, served: 0, queue, watch };
        GlobalLock { state: Mutex::new(state), since: AtomicU64::new(0), watch: Condvar::new() }
    }

    /// Waits for the lock. `own`: the attention of the thread's context.
    pub fn acquire(&'static self, own: &Attention) {
        let mut state = self.state.lock();
        if !state.is_taken {
            state.is_taken = true;
            state.holder = std::ptr::from_ref(own) as usize;
            self.since.store(host::clock::monotonic_nanoseconds(), Ordering::Relaxed);
            return;
        }
        let turn = Arc::new(Condvar::new());
        let ticket = self.enter(&mut state, turn.clone());
        self.wait(own, state, ticket, &turn);
    }

    /// A place in the queue for a sleeping thread: when its turn has come, `wake` is notified, and the thread must call
    /// `claim`. `None` if nobody has the lock.
    pub fn reserve(&'static self, wake: Arc<Condvar>) -> Option<u64> {
        let mut state = self.state.lock();
        state.is_taken.then(|| self.enter(&mut state, wake))
    }

    /// Waits until the lock is passed to the holder of the ticket.
    pub fn claim(&'static self, own: &Attention, ticket: u64) {
        let mut state = self.state.lock();
        let turn = Arc::new(Condvar::new());
        if let Ok(place) = state.queue.binary_search_by_key(&ticket, |waiter| waiter.0) {
            state.queue[place].1 = turn.clone();
        }
        self.wait(own, state, ticket, &turn);
    }

    fn enter(&'static self, state: &mut State, turn: Arc<Condvar>) -> u64 {
        let ticket = state.next;
        state.next += 1;
        state.queue.push_back((ticket, turn));
        match state.watch {
            Watch::Measuring => {}
            Watch::Idle => {
                state.watch = Watch::Measuring;
                self.watch.notify_one();
            }
            Watch::Absent => {
                if host::thread::spawn("time slices", STACK, || self.measure()).is_ok() {
                    state.watch = Watch::Measuring;
                }
            }
        }
        ticket
    }

    fn wait(&self, own: &Attention, mut state: MutexGuard<State>, ticket: u64, turn: &Condvar) {
        while state.served != ticket {
            let (again, timed_out) = turn.wait_until(state, host::clock::monotonic_nanoseconds() + LONG);
            state = again;
            if timed_out {
                state.interrupt_holder();
            }
        }
        state.holder = std::ptr::from_ref(own) as usize;
        self.since.store(host::clock::monotonic_nanoseconds(), Ordering::Relaxed);
    }

    /// Interrupts holders that run for longer than a time slice while others wait.
    fn measure(&self) {
        let _signals = host::signal::block_all();
        let mut state = self.state.lock();
        let (mut served, mut idle) = (state.served, 0);
        loop {
            let deadline = host::clock::monotonic_nanoseconds() + TIME_SLICE;
            let mut is_over = false;
            while !is_over {
                (state, is_over) = self.watch.wait_until(state, deadline);
            }
            if !state.queue.is_empty() {
                idle = 0;
                if state.served == served {
                    state.interrupt_holder();
                }
            } else if idle < IDLE_SLICES {
                idle += 1;
            } else {
                state.watch = Watch::Idle;
                while state.watch == Watch::Idle {
                    state = self.watch.wait(state);
                }
                idle = 0;
            }
            served = state.served;
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

    /// Whether others wait, and the holder has had the lock long enough to give it away where that is cheap.
    pub fn is_due(&self) -> bool {
        host::clock::monotonic_nanoseconds() > self.since.load(Ordering::Relaxed) + TURN && self.is_contended()
    }

    /// A lock held by the thread of that attention, for a forked child: it has only that thread, and the state of the
    /// old lock is unknown.
    pub fn held_by(own: &Attention) -> GlobalLock {
        GlobalLock::new(std::ptr::from_ref(own) as usize)
    }
}
