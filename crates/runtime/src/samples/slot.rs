//! A thread's records: a ring of words that the signal handler writes, and the holder of the global lock reads.
//!
//! ```text
//! record: words and activity | time | weight | registers … | frames: code, entry, pc …, innermost first
//! ```
//!
//! The handler runs on the sampled thread, between any two instructions. It only copies words of the thread's VM stack
//! within the stack's bounds; `sampling::decode` validates each of them later. It takes no lock and allocates nothing.

use std::cell::UnsafeCell;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence,
};

use host::{
    clock::monotonic_nanoseconds,
    signal::sampling::{REGISTERS, Timer},
};

/// What a thread is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Activity {
    /// Ruby code or a native method, according to its innermost frame.
    Running = 0,
    Collecting = 1,
    /// From Ruby to bytecode, or from bytecode to machine code.
    Compiling = 2,
    /// Waiting for input, a lock or a time.
    Waiting = 3,
    /// Waiting for another thread to release the global lock.
    WantsLock = 4,
}

impl Activity {
    const ALL: [Activity; 5] =
        [Activity::Running, Activity::Collecting, Activity::Compiling, Activity::Waiting, Activity::WantsLock];

    pub(crate) fn from_word(word: u64) -> Activity {
        Activity::ALL.get((word & 0xff) as usize).copied().unwrap_or(Activity::Running)
    }

    /// Whether the thread does not run, and must not be interrupted.
    pub(crate) fn is_idle(self) -> bool {
        matches!(self, Activity::Waiting | Activity::WantsLock)
    }
}

/// Words of a ring: 256 KiB of address space; pages are committed when they are used.
pub(crate) const WORDS: usize = 1 << 15;
/// The maximum number of frames of a sample: the innermost ones of a deeper stack.
pub(crate) const MOST_FRAMES: usize = 1024;
/// Words of a record before its registers, before its frames, and of a frame.
pub(crate) const HEAD: usize = 3;
pub(crate) const FIRST_FRAME: usize = HEAD + REGISTERS;
pub(crate) const FRAME: usize = 3;

/// Slots are created when a thread is first sampled, reused for other threads, and never freed, because a signal may
/// arrive late.
pub struct Slot {
    /// The address of the thread's context; null when the thread has ended or nothing is sampled.
    pub(crate) context: AtomicPtr<()>,
    /// The number of the timer that sends the signals; negative if there is none.
    timer: AtomicI32,
    /// The timer runs.
    is_timed: AtomicBool,
    /// When sampling began, and the nanoseconds between ticks.
    pub(crate) began: AtomicU64,
    pub(crate) interval: AtomicU64,
    /// A number that no other thread has.
    pub(crate) number: AtomicU32,
    activity: AtomicU8,
    before_collecting: AtomicU8,
    pub(crate) is_wall: AtomicBool,
    /// The time up to which samples were counted, by the clock of the mode.
    pub(crate) counted: AtomicU64,
    ring: Box<[UnsafeCell<u64>]>,
    /// Numbers of words written and read since the beginning, and the position of the latest record.
    pub(crate) written: AtomicUsize,
    pub(crate) read: AtomicUsize,
    pub(crate) latest: AtomicUsize,
    /// The ring is being read: records do not change any more.
    pub(crate) is_read: AtomicBool,
    pub(crate) lost: AtomicU64,
}

// SAFETY: the ring is written by the slot's thread alone, at words that `written` does not cover yet or, for a weight,
// while `is_read` is false; the reader holds the global lock and reads what `written` covers.
unsafe impl Sync for Slot {}

impl Slot {
    pub(crate) fn new() -> Slot {
        let ring = (0..WORDS).map(|_| UnsafeCell::new(0)).collect();
        Slot {
            context: AtomicPtr::default(),
            timer: AtomicI32::new(-1),
            is_timed: AtomicBool::new(false),
            began: AtomicU64::new(0),
            interval: AtomicU64::new(1),
            number: AtomicU32::new(0),
            activity: AtomicU8::new(0),
            before_collecting: AtomicU8::new(0),
            is_wall: AtomicBool::new(false),
            counted: AtomicU64::new(0),
            ring,
            written: AtomicUsize::new(0),
            read: AtomicUsize::new(0),
            latest: AtomicUsize::new(usize::MAX),
            is_read: AtomicBool::new(false),
            lost: AtomicU64::new(0),
        }
    }

    pub(crate) fn activity(&self) -> Activity {
        Activity::from_word(u64::from(self.activity.load(Ordering::Relaxed)))
    }

    pub(crate) fn set_activity(&self, activity: Activity) {
        self.activity.store(activity as u8, Ordering::Relaxed);
    }

    pub(crate) fn begin_collecting(&self) {
        let before = self.activity.swap(Activity::Collecting as u8, Ordering::Relaxed);
        self.before_collecting.store(before, Ordering::Relaxed);
    }

    pub(crate) fn end_collecting(&self) {
        self.activity.store(self.before_collecting.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Takes over a timer for this slot.
    pub(crate) fn set_timer(&self, timer: Timer) {
        self.is_timed.store(false, Ordering::Relaxed);
        self.timer.store(timer.into_number(), Ordering::Relaxed);
    }

    /// The timer, to be dropped.
    pub(crate) fn take_timer(&self) -> Option<Timer> {
        let number = self.timer.swap(-1, Ordering::Relaxed);
        (number >= 0).then(|| Timer::from_number(number))
    }

    /// In a forked child, which does not have the timer.
    pub(crate) fn forget_timer(&self) {
        self.timer.store(-1, Ordering::Relaxed);
    }

    /// Starts the timer, unless it runs. It expires at multiples of the interval since sampling began, whatever the
    /// thread does, so that work after short waits is sampled like any other.
    pub(crate) fn start_timer(&self) {
        if self.is_timed.load(Ordering::Relaxed) {
            return;
        }
        let (began, interval) = (self.began.load(Ordering::Relaxed), self.interval.load(Ordering::Relaxed));
        let ticks = monotonic_nanoseconds().saturating_sub(began) / interval;
        // A signal that arrives before the timer is started again stops it at most once more.
        self.is_timed.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        Timer::start(self.timer.load(Ordering::Relaxed), began + (ticks + 1) * interval, interval);
    }

    /// Stops the timer, in the signal handler of a thread that waits.
    pub(crate) fn stop_timer(&self) {
        Timer::stop(self.timer.load(Ordering::Relaxed));
        self.is_timed.store(false, Ordering::Relaxed);
    }

    pub(crate) fn put(&self, at: usize, word: u64) {
        // SAFETY: the words from `written` on belong to the writer, as the note on `Sync` says; the index is in bounds.
        unsafe { *self.ring[at % WORDS].get() = word };
    }

    /// The word at a place; the caller is the reader or the writer.
    pub(crate) fn get(&self, at: usize) -> u64 {
        // SAFETY: published words do not change, except that the writer may update a weight; the index is in bounds.
        unsafe { self.ring[at % WORDS].get().read_volatile() }
    }

    /// Whether the record at `latest`, which was not read yet, differs from that at `start` only in time and weight.
    pub(crate) fn is_equal(&self, latest: usize, start: usize, length: usize) -> bool {
        latest >= self.read.load(Ordering::Acquire)
            && self.get(latest) == self.get(start)
            && (HEAD..length).all(|i| self.get(latest + i) == self.get(start + i))
    }

    /// Calls `f` with the position and length of each record; returns the nanoseconds that were lost. The caller holds
    /// the global lock.
    pub(crate) fn take(&self, f: &mut dyn FnMut(usize, usize)) -> u64 {
        self.is_read.store(true, Ordering::Release);
        let written = self.written.load(Ordering::Acquire);
        let mut at = self.read.load(Ordering::Relaxed);
        while at < written {
            let length = (self.get(at) >> 8) as usize;
            f(at, length);
            at += length.max(1);
        }
        self.read.store(written, Ordering::Release);
        self.is_read.store(false, Ordering::Release);
        self.lost.swap(0, Ordering::Relaxed)
    }
}
