//! What makes a thread stop at its next safepoint.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The reasons why a thread must check for events at its next safepoint.
pub struct Interrupts;

impl Interrupts {
    pub const SIGNAL: u32 = 1;
    pub const FINALIZERS: u32 = 2;
    pub const SWITCH: u32 = 4;
    /// Another thread raised an exception in this one or killed it.
    pub const ASYNC: u32 = 8;
    /// A profiler's sample waits to be fetched.
    pub const SAMPLE: u32 = 16;
    /// A job of an extension waits to be run.
    pub const JOBS: u32 = 32;
    /// Each safepoint is noticed, see [`Stress`].
    pub const STRESS: u32 = 64;
    /// Deep recursion may keep too much memory alive.
    pub const RECURSION: u32 = 128;
    /// Memory was exhausted where no exception could be raised.
    pub const EXHAUSTED: u32 = 256;
}

/// Events at each n-th safepoint, for tests; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stress {
    /// `--stress-switch`: another thread runs, if one is ready.
    pub switch: u32,
    /// `--stress-signal`: the thread gets SIGURG, which has no effect on programs that do not handle it.
    pub signal: u32,
}

impl Stress {
    /// The events of the safepoint with this number; sends the signal.
    fn events(self, number: u32) -> u32 {
        let is_due = |interval: u32| interval != 0 && number.is_multiple_of(interval);
        if is_due(self.signal) {
            // It can only fail for a number that is no signal's.
            let _ = host::signal::raise(host::signal::URGENT);
        }
        if is_due(self.switch) { Interrupts::SWITCH } else { 0 }
    }
}

/// The limit of the native stack while interrupts wait: above all addresses of a process.
const ATTENTION: usize = usize::MAX / 2;

/// Whether events wait for a thread. Any thread, and a signal handler, may change it.
#[derive(Default)]
pub struct Attention {
    /// Bits of [`Interrupts`].
    pub interrupts: AtomicU32,
    /// What compiled code compares the native stack with before it pushes a frame: the lowest address that the stack
    /// may reach, or [`ATTENTION`] while interrupts wait, so that it leaves the call to the runtime.
    pub native_limit: AtomicUsize,
}

impl Attention {
    /// Makes the thread handle events at its next safepoint.
    pub fn request(&self, events: u32) {
        self.interrupts.fetch_or(events, Ordering::SeqCst);
        self.native_limit.store(ATTENTION, Ordering::SeqCst);
    }

    /// For a new thread: under stress, its safepoints are noticed as well.
    pub(crate) fn inherit(&self, other: &Attention) {
        if other.interrupts.load(Ordering::Relaxed) & Interrupts::STRESS != 0 {
            self.request(Interrupts::STRESS);
        }
    }

    /// Whether the limit says that events wait.
    #[inline(always)]
    pub(super) fn is_requested(&self) -> bool {
        self.native_limit.load(Ordering::Relaxed) == ATTENTION
    }

    /// Sets the lowest address that the native stack may reach. Events that wait stay noticed.
    pub(super) fn set_limit(&self, bound: usize) {
        self.native_limit.store(bound, Ordering::SeqCst);
        if self.interrupts.load(Ordering::SeqCst) != 0 {
            self.native_limit.store(ATTENTION, Ordering::SeqCst);
        }
    }

    /// The events of a safepoint under stress, in addition to those that waited; the next one is noticed as well.
    pub(super) fn stressed(&self, stress: Stress, number: u32) -> u32 {
        let events = stress.events(number);
        self.request(Interrupts::STRESS);
        events
    }

    /// Takes the events that wait; the native stack may reach `bound` again.
    pub(super) fn take(&self, bound: usize) -> u32 {
        self.native_limit.store(bound, Ordering::SeqCst);
        self.interrupts.swap(0, Ordering::SeqCst)
    }
}
