//! The global lock: one thread runs Ruby at a time.
//!
//! Threads get the lock in the order of their requests, one at a time, so that many waiters cost the running thread
//! nothing. While threads wait, another thread measures: after a time slice it sets the holder's interrupt flag, and
//! the holder releases the lock at its next safepoint.
//!
//! Most calls that may block return at once. A thread that releases the lock for such a call takes it back if the next
//! waiter has not woken up yet and the thread's turn is not over: many threads that write or read would otherwise
//! switch at every call. A call that does block loses nothing: the waiter is woken before it begins.
//!
//! A thread that has not run yet waits in the same queue, without a native thread: see [`natives`](super::natives).

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use host::thread::{Condvar, Mutex, MutexGuard};

use super::attention::{Attention, Interrupts};
use super::natives::{self, Natives, Start, Task};

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

/// Waits for the lock.
struct Waiter {
    ticket: u64,
    /// What its native thread waits on.
    turn: Arc<Condvar>,
    /// Begins the thread, if it has no native thread yet.
    start: Option<Start>,
}

struct State {
    is_taken: bool,
    /// The address of the attention of the thread that holds the lock; 0 if it is free or being passed on.
    holder: usize,
    /// The next ticket to give out, and the last ticket that got the lock.
    next: u64,
    served: u64,
    /// How often another thread has got the lock.
    turns: u64,
    /// The attention of the thread that released the lock for a call, and the waiter to which it was passed and that
    /// has not woken up yet.
    lent: Option<(usize, Waiter)>,
    /// The ticket of the waiter that has been notified and has not woken up yet; 0 for none.
    notified: u64,
    /// The waiters in the order of their tickets, each with its own condition variable.
    queue: VecDeque<Waiter>,
    /// The number of waiters without a native thread.
    not_begun: usize,
    /// The last attempt to start a native thread failed.
    lacks_natives: bool,
    watch: Watch,
}

impl State {
    /// The holder of the ticket has woken up.
    fn woke(&mut self, ticket: u64) {
        if self.notified == ticket {
            self.notified = 0;
        }
    }

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
    natives: Natives,
}

impl Default for GlobalLock {
    fn default() -> Self {
        GlobalLock::new(0)
    }
}

impl GlobalLock {
    fn new(holder: usize) -> GlobalLock {
        let (queue, watch) = (VecDeque::new(), Watch::Absent);
        let (next, served, turns, lent, notified) = (1, 0, 0, None, 0);
        let (is_taken, not_begun, lacks_natives) = (holder != 0, 0, false);
        let state =
            State { is_taken, holder, next, served, turns, lent, notified, queue, not_begun, lacks_natives, watch };
        let natives = Natives::default();
        GlobalLock { state: Mutex::new(state), since: AtomicU64::new(0), watch: Condvar::new(), natives }
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
        if self.take_back(&mut state, own) {
            return;
        }
        let turn = Arc::new(Condvar::new());
        let ticket = self.enter(&mut state, turn.clone(), None);
        self.wait(own, state, ticket, &turn);
    }

    /// Begins a thread when its turn comes; it must then call `claim`. The caller has the lock. `false` if the system
    /// lacks resources for it.
    pub fn begin(&'static self, start: Start) -> bool {
        let mut state = self.state.lock();
        if state.lacks_natives || !natives::has_room(state.not_begun + 1) {
            return false;
        }
        // One native thread exists before a thread may wait for its own: it will begin the others, whatever the system
        // lacks then.
        let now = !self.natives.exist();
        let (deferred, begun) = if now { (None, Some(start)) } else { (Some(start), None) };
        state.not_begun += usize::from(!now);
        let ticket = self.enter(&mut state, Arc::default(), deferred);
        drop(state);
        let Some(start) = begun else { return true };
        if self.natives.begin(Task { start, ticket }).is_ok() {
            return true;
        }
        // The caller has the lock, so the ticket is still in the queue.
        self.state.lock().queue.retain(|waiter| waiter.ticket != ticket);
        false
    }

    /// Takes the lock back that this thread has released for a call, unless the next waiter has woken up, or this
    /// thread's turn is over. The waiter keeps its place.
    fn take_back(&self, state: &mut State, own: &Attention) -> bool {
        let own = std::ptr::from_ref(own) as usize;
        let is_own = state.lent.as_ref().is_some_and(|(lender, _)| *lender == own);
        if !is_own || self.is_turn_over() {
            return false;
        }
        let Some((_, waiter)) = state.lent.take() else { return false };
        state.queue.push_front(waiter);
        state.served = 0;
        state.holder = own;
        true
    }

    /// A place in the queue for a sleeping thread: when its turn has come, `wake` is notified, and the thread must call
    /// `claim`. `None` if nobody has the lock.
    pub fn reserve(&'static self, wake: Arc<Condvar>) -> Option<u64> {
        let mut state = self.state.lock();
        state.is_taken.then(|| self.enter(&mut state, wake, None))
    }

    /// Waits until the lock is passed to the holder of the ticket.
    pub fn claim(&'static self, own: &Attention, ticket: u64) {
        let mut state = self.state.lock();
        let turn = Arc::new(Condvar::new());
        if let Ok(place) = state.queue.binary_search_by_key(&ticket, |waiter| waiter.ticket) {
            state.queue[place].turn = turn.clone();
        }
        state.woke(ticket);
        self.wait(own, state, ticket, &turn);
    }

    fn enter(&'static self, state: &mut State, turn: Arc<Condvar>, start: Option<Start>) -> u64 {
        let ticket = state.next;
        state.next += 1;
        state.queue.push_back(Waiter { ticket, turn, start });
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
            state.woke(ticket);
            if timed_out {
                state.interrupt_holder();
            }
        }
        state.lent = None;
        state.turns += 1;
        state.holder = std::ptr::from_ref(own) as usize;
        self.since.store(host::clock::monotonic_nanoseconds(), Ordering::Relaxed);
    }

    /// Interrupts holders that run for longer than a time slice while others wait.
    fn measure(&'static self) {
        let _signals = host::signal::block_all();
        let mut state = self.state.lock();
        let (mut turns, mut idle) = (state.turns, 0);
        loop {
            let deadline = host::clock::monotonic_nanoseconds() + TIME_SLICE;
            let mut is_over = false;
            while !is_over {
                (state, is_over) = self.watch.wait_until(state, deadline);
            }
            if !state.queue.is_empty() {
                idle = 0;
                if !state.is_taken {
                    state.is_taken = true;
                    drop(state);
                    self.release();
                    state = self.state.lock();
                } else if state.turns == turns {
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
            turns = state.turns;
        }
    }

    /// Passes the lock to the next waiter.
    pub fn release(&'static self) {
        if let Some(task) = self.pass(0) {
            self.start(task);
        }
    }

    /// Like [`release`](Self::release), for a call that may block, after which the same thread acquires the lock. `own`
    /// is the attention of the thread's context.
    pub fn release_for_call(&'static self, own: &Attention) {
        if let Some(task) = self.pass(std::ptr::from_ref(own) as usize) {
            self.start(task);
        }
    }

    /// Like [`release`](Self::release), at the end of a thread: its native thread runs the returned one next.
    pub fn release_at_end(&'static self) -> Option<Task> {
        self.pass(0)
    }

    /// Passes the lock on. `lender`: the attention of the thread that may take the lock back, or 0. Returns the thread
    /// whose turn it is if it has no native thread yet.
    fn pass(&self, lender: usize) -> Option<Task> {
        let mut state = self.state.lock();
        state.holder = 0;
        let Some(mut waiter) = state.queue.pop_front() else {
            state.is_taken = false;
            return None;
        };
        let (ticket, turn, start) = (waiter.ticket, waiter.turn.clone(), waiter.start.take());
        state.served = ticket;
        state.lent = (lender != 0).then_some((lender, waiter));
        if state.notified == ticket {
            return None;
        }
        state.notified = ticket;
        state.not_begun -= usize::from(start.is_some());
        drop(state);
        if start.is_none() {
            turn.notify_one();
        }
        start.map(|start| Task { start, ticket })
    }

    /// Starts a native thread for a thread whose turn it is.
    fn start(&'static self, task: Task) {
        let begun = self.natives.begin(task);
        let mut state = self.state.lock();
        state.lacks_natives = begun.is_err();
        let Err(Task { start, ticket }) = begun else { return };
        state.not_begun += 1;
        state.woke(ticket);
        if state.served == ticket {
            // Nobody has taken the lock back.
            state.lent = None;
            state.queue.push_front(Waiter { ticket, turn: Arc::default(), start: Some(start) });
            self.pass_to_running(state);
        } else if let Ok(place) = state.queue.binary_search_by_key(&ticket, |waiter| waiter.ticket) {
            state.queue[place].start = Some(start);
        }
    }

    /// Passes the lock to the first waiter that has a native thread. If there is none, the thread that measures tries
    /// again.
    fn pass_to_running(&self, mut state: MutexGuard<State>) {
        let place = state.queue.iter().position(|waiter| waiter.start.is_none());
        let Some(waiter) = place.and_then(|place| state.queue.remove(place)) else {
            (state.is_taken, state.served) = (false, 0);
            return;
        };
        state.served = waiter.ticket;
        state.notified = waiter.ticket;
        drop(state);
        waiter.turn.notify_one();
    }

    /// Whether a thread waits for it.
    pub fn is_contended(&self) -> bool {
        !self.state.lock().queue.is_empty()
    }

    /// Whether others wait, and the holder has had the lock long enough to give it away where that is cheap.
    pub fn is_due(&self) -> bool {
        self.is_turn_over() && self.is_contended()
    }

    fn is_turn_over(&self) -> bool {
        host::clock::monotonic_nanoseconds() > self.since.load(Ordering::Relaxed) + TURN
    }

    /// A lock held by the thread of that attention, for a forked child: it has only that thread, and the state of the
    /// old lock is unknown.
    pub fn held_by(own: &Attention) -> GlobalLock {
        GlobalLock::new(std::ptr::from_ref(own) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaked<T: Default>() -> &'static T {
        Box::leak(Box::default())
    }

    #[test]
    fn a_call_that_returns_before_the_next_waiter_wakes_keeps_the_lock() {
        let lock = leaked::<GlobalLock>();
        let (caller, waiter) = (leaked::<Attention>(), leaked::<Attention>());
        lock.acquire(caller);
        let ticket = lock.reserve(Arc::default()).expect("the lock is taken");
        for _ in 0..3 {
            lock.release_for_call(caller);
            lock.acquire(caller);
        }
        assert!(lock.is_contended(), "the waiter keeps its place");
        lock.release();
        lock.claim(waiter, ticket);
        assert_eq!(lock.state.lock().holder, std::ptr::from_ref(waiter) as usize);
    }

    #[test]
    fn the_lock_passes_on_at_a_call_when_the_turn_is_over_or_another_thread_runs() {
        let lock = leaked::<GlobalLock>();
        let (caller, waiter) = (leaked::<Attention>(), leaked::<Attention>());
        lock.acquire(caller);
        let ticket = lock.reserve(Arc::default()).expect("the lock is taken");
        lock.since.store(0, Ordering::Relaxed);
        lock.release_for_call(caller);
        assert!(!lock.take_back(&mut lock.state.lock(), caller), "its turn is over");
        lock.since.store(host::clock::monotonic_nanoseconds(), Ordering::Relaxed);
        lock.claim(waiter, ticket);
        assert!(!lock.take_back(&mut lock.state.lock(), caller), "the waiter has it");
    }
}
