//! A thread's records: a ring of words that the signal handler writes, and the holder of the global lock reads.
//!
//! ```text
//! record: words and activity | time | weight | registers … | frames: code, entry, pc …, innermost first
//! ```
//!
//! The handler runs on the sampled thread, between any two instructions. It only copies words of the thread's VM stack
//! within the stack's bounds; `decode` validates each of them later. It takes no lock and allocates nothing.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use abi::{Frame, FrameFlags};
use host::{clock, signal::sampling::REGISTERS, thread::ThreadId};

use super::{Mode, clock as ticks};
use crate::Cx;

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

    pub(super) fn from_word(word: u64) -> Activity {
        Activity::ALL.get((word & 0xff) as usize).copied().unwrap_or(Activity::Running)
    }

    /// Whether the thread does not run, and must not be interrupted.
    fn is_idle(self) -> bool {
        matches!(self, Activity::Waiting | Activity::WantsLock)
    }
}

/// Words of a ring: 256 KiB of address space; pages are committed when they are used.
const WORDS: usize = 1 << 15;
/// The maximum number of frames of a sample: the innermost ones of a deeper stack.
pub(super) const MOST_FRAMES: usize = 1024;
/// Words of a record before its registers, before its frames, and of a frame.
pub(super) const HEAD: usize = 3;
pub(super) const FIRST_FRAME: usize = HEAD + REGISTERS;
pub(super) const FRAME: usize = 3;

/// Slots are created when a thread is first sampled, reused for other threads, and never freed, because a signal may
/// arrive late.
pub struct Slot {
    /// The thread's context; null when the thread has ended or nothing is sampled.
    context: AtomicPtr<Cx>,
    thread: AtomicI32,
    /// A number that no other thread has.
    pub(super) number: AtomicU32,
    activity: AtomicU8,
    before_collecting: AtomicU8,
    is_wall: AtomicBool,
    /// The clock has ticked while the thread waited.
    is_due: AtomicBool,
    /// The time up to which samples were counted, by the clock of the mode.
    counted: AtomicU64,
    ring: Box<[UnsafeCell<u64>]>,
    /// Numbers of words written and read since the beginning, and the position of the latest record.
    written: AtomicUsize,
    read: AtomicUsize,
    latest: AtomicUsize,
    /// The ring is being read: records do not change any more.
    is_read: AtomicBool,
    lost: AtomicU64,
}

// SAFETY: the ring is written by the slot's thread alone, at words that `written` does not cover yet or, for a weight,
// while `is_read` is false; the reader holds the global lock and reads what `written` covers.
unsafe impl Sync for Slot {}

/// Sets the handler.
pub(super) fn install() -> host::Result<()> {
    // SAFETY: `tick` alone sends the signal, with the address of a slot.
    unsafe { host::signal::sampling::install(on_sample_signal) }
}

/// # Safety
/// The target is a slot. Called in the signal's handler.
unsafe fn on_sample_signal(target: *mut (), registers: &[u64; REGISTERS]) {
    // SAFETY: by this function's contract; slots are never freed.
    let slot = unsafe { &*target.cast::<Slot>() };
    let context = slot.context.load(Ordering::Acquire);
    // The time of a wait is counted when the wait ends.
    if !context.is_null() && !slot.activity().is_idle() {
        // SAFETY: the context is that of this thread, which stays alive meanwhile.
        unsafe {
            slot.record(context, slot.activity(), registers);
            super::ask(context);
        }
    }
}

impl Slot {
    /// Assigns a slot to the thread of a context. The caller holds the global lock.
    pub(super) fn attach(cx: &Cx, mode: Mode, activity: Activity) {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let Some(thread) = super::decode::native_thread(cx) else { return };
        let slot = ticks::unused().unwrap_or_else(|| Box::leak(Box::new(Slot::new())));
        slot.number.store(NEXT.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        slot.set_activity(activity);
        slot.is_wall.store(mode == Mode::Wall, Ordering::Relaxed);
        slot.is_due.store(false, Ordering::Relaxed);
        slot.lost.store(0, Ordering::Relaxed);
        let written = slot.written.load(Ordering::Relaxed);
        slot.read.store(written, Ordering::Relaxed);
        slot.latest.store(usize::MAX, Ordering::Relaxed);
        let now = if mode == Mode::Wall { clock::monotonic_nanoseconds() } else { clock::cpu_nanoseconds_of(thread) };
        slot.counted.store(now, Ordering::Relaxed);
        slot.thread.store(thread.0, Ordering::Relaxed);
        slot.context.store(std::ptr::from_ref(cx).cast_mut(), Ordering::Release);
        cx.sampled.store(std::ptr::from_ref(slot).cast_mut(), Ordering::Release);
        ticks::add(slot);
    }

    /// Ends the sampling of the context's thread. The caller holds the global lock.
    pub(super) fn detach(cx: &Cx) {
        let slot = cx.sampled.swap(std::ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: slots are never freed.
        if let Some(slot) = unsafe { slot.as_ref() } {
            ticks::remove(slot);
            slot.context.store(std::ptr::null_mut(), Ordering::Release);
        }
    }

    fn new() -> Slot {
        let ring = (0..WORDS).map(|_| UnsafeCell::new(0)).collect();
        Slot {
            context: AtomicPtr::default(),
            thread: AtomicI32::new(0),
            number: AtomicU32::new(0),
            activity: AtomicU8::new(0),
            before_collecting: AtomicU8::new(0),
            is_wall: AtomicBool::new(false),
            is_due: AtomicBool::new(false),
            counted: AtomicU64::new(0),
            ring,
            written: AtomicUsize::new(0),
            read: AtomicUsize::new(0),
            latest: AtomicUsize::new(usize::MAX),
            is_read: AtomicBool::new(false),
            lost: AtomicU64::new(0),
        }
    }

    pub(super) fn activity(&self) -> Activity {
        Activity::from_word(u64::from(self.activity.load(Ordering::Relaxed)))
    }

    pub(super) fn set_activity(&self, activity: Activity) {
        self.activity.store(activity as u8, Ordering::Relaxed);
    }

    pub(super) fn begin_collecting(&self) {
        let before = self.activity.swap(Activity::Collecting as u8, Ordering::Relaxed);
        self.before_collecting.store(before, Ordering::Relaxed);
    }

    pub(super) fn end_collecting(&self) {
        self.activity.store(self.before_collecting.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Sets the thread's activity. Called by the thread itself; it is idle before or after the change.
    pub(super) fn enter(&self, context: &Cx, activity: Activity) {
        if self.activity().is_idle() {
            self.count_wait(context);
        }
        self.set_activity(activity);
    }

    /// Counts the time of a wait, if the clock ticked in the meantime. The thread is idle.
    pub(super) fn count_wait(&self, context: &Cx) {
        if self.activity().is_idle() && self.is_due.swap(false, Ordering::Relaxed) {
            // SAFETY: the context is alive, and its thread is this one or waits.
            unsafe {
                self.record(context, self.activity(), &[0; REGISTERS]);
                super::ask(context);
            }
        }
    }

    /// Handles a tick of the clock: sends a signal to a running thread; only marks a waiting one. The caller has the
    /// list of slots locked, so that the thread exists.
    pub(super) fn tick(&self) {
        if !self.activity().is_idle() {
            let target = std::ptr::from_ref(self).cast_mut().cast();
            let _ = host::signal::sampling::send(ThreadId(self.thread.load(Ordering::Relaxed)), target);
        } else if self.is_wall.load(Ordering::Relaxed) {
            self.is_due.store(true, Ordering::Relaxed);
        }
    }

    fn put(&self, at: usize, word: u64) {
        // SAFETY: the words from `written` on belong to the writer, as the note on `Sync` says; the index is in bounds.
        unsafe { *self.ring[at % WORDS].get() = word };
    }

    /// The word at a place; the caller is the reader or the writer.
    pub(super) fn get(&self, at: usize) -> u64 {
        // SAFETY: published words do not change, except that the writer may update a weight; the index is in bounds.
        unsafe { self.ring[at % WORDS].get().read_volatile() }
    }

    /// Writes a record of the calling thread, or of one that waits for the global lock that the caller holds.
    ///
    /// # Safety
    /// The context is alive, and its thread is this one or waits.
    unsafe fn record(&self, context: *const Cx, activity: Activity, registers: &[u64; REGISTERS]) {
        // SAFETY: by this function's contract; the flag is atomic.
        if unsafe { (*context).switches_fiber.load(Ordering::Relaxed) } {
            return;
        }
        let is_wall = self.is_wall.load(Ordering::Relaxed);
        let time = clock::monotonic_nanoseconds();
        let now = if is_wall { time } else { clock::thread_cpu_nanoseconds() };
        let weight = now.saturating_sub(self.counted.swap(now, Ordering::Relaxed));
        let start = self.written.load(Ordering::Relaxed);
        let most = WORDS - (start - self.read.load(Ordering::Acquire));
        if most < FIRST_FRAME + FRAME * MOST_FRAMES {
            self.lost.fetch_add(weight, Ordering::Relaxed);
            return;
        }
        // SAFETY: by this function's contract.
        let (mut at, is_native) = unsafe { self.copy_frames(context, start + FIRST_FRAME) };
        // The machine registers are useful only for Ruby code that the interpreter runs.
        let is_ruby = activity == Activity::Running && !is_native;
        for (i, register) in registers.iter().enumerate() {
            self.put(start + HEAD + i, if is_ruby { *register } else { 0 });
        }
        let length = at - start;
        self.put(start, (length as u64) << 8 | activity as u64);
        self.put(start + 1, time);
        self.put(start + 2, weight);
        let latest = self.latest.load(Ordering::Relaxed);
        let repeats =
            latest != usize::MAX && !self.is_read.load(Ordering::Relaxed) && self.is_equal(latest, start, length);
        if repeats {
            self.put(latest + 2, self.get(latest + 2) + weight);
            at = start;
        } else {
            self.latest.store(start, Ordering::Relaxed);
        }
        self.written.store(at, Ordering::Release);
    }

    /// Whether the record at `latest`, which was not read yet, differs from that at `start` only in time and weight.
    fn is_equal(&self, latest: usize, start: usize, length: usize) -> bool {
        latest >= self.read.load(Ordering::Acquire)
            && self.get(latest) == self.get(start)
            && (HEAD..length).all(|i| self.get(latest + i) == self.get(start + i))
    }

    /// Copies the frames of a context. Returns the position after them, and whether the innermost belongs to a native
    /// method.
    ///
    /// # Safety
    /// The context is alive, and its thread is this one or waits.
    unsafe fn copy_frames(&self, context: *const Cx, mut at: usize) -> (usize, bool) {
        // SAFETY: by this function's contract. The fields are read as raw words, because the code that was interrupted
        // may have been about to change them.
        let (frame, low, high) = unsafe {
            let stack = &raw const (*context).stack;
            (
                (&raw const (*context).frame).read_volatile(),
                (&raw const (*stack).low).read_volatile() as usize,
                (&raw const (*stack).high).read_volatile() as usize,
            )
        };
        let mut place = frame as usize;
        if place < low || place >= high || !(high - place).is_multiple_of(size_of::<Frame>()) {
            // A thread without frames, or one that is just switching to another fiber.
            return (at, false);
        }
        let (mut count, mut is_native) = (0, false);
        while place < high && count < MOST_FRAMES {
            let frame = place as *const Frame;
            // SAFETY: the record lies within the stack, which is mapped as long as its thread or fiber exists. Its
            // words are only copied.
            let (code, entry, pc, flags) = unsafe {
                let scope = &raw const (*frame).scope;
                (
                    (&raw const (*scope).code).read_volatile().0,
                    (&raw const (*scope).entry).read_volatile().0,
                    (&raw const (*frame).pc).read_volatile() as u64,
                    (&raw const (*frame).flags).read_volatile(),
                )
            };
            if flags & FrameFlags::HIDDEN == 0 {
                is_native |= count == 0 && flags & FrameFlags::NATIVE != 0;
                for (i, word) in [code, entry, pc].into_iter().enumerate() {
                    self.put(at + i, word);
                }
                at += FRAME;
                count += 1;
            }
            place += size_of::<Frame>();
        }
        (at, is_native)
    }

    /// Calls `f` with the position and length of each record; returns the nanoseconds that were lost. The caller holds
    /// the global lock.
    pub(super) fn take(&self, f: &mut dyn FnMut(usize, usize)) -> u64 {
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
