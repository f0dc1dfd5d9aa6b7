//! Writes samples into a thread's slot: in the handler of the signal, or when a wait ends.

use std::sync::atomic::{AtomicU32, Ordering};

use abi::{Frame, FrameFlags};
use host::{clock, signal::sampling::REGISTERS};

use super::Mode;
use crate::{
    Cx,
    cx::Interrupts,
    samples::{
        clock as ticks,
        slot::{Activity, FIRST_FRAME, FRAME, HEAD, MOST_FRAMES, Slot, WORDS},
    },
};

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
    let context = slot.context.load(Ordering::Acquire).cast::<Cx>();
    // The time of a wait is counted when the wait ends.
    if !context.is_null() && !slot.activity().is_idle() {
        // SAFETY: the context is that of this thread, which stays alive meanwhile.
        unsafe {
            slot.record(context, slot.activity(), registers);
            request_fetch(context);
        }
    }
}

/// Makes the thread of a context fetch its records at its next safepoint. Called in the signal handler.
///
/// # Safety
/// The context is that of the thread that the handler runs on.
unsafe fn request_fetch(context: *const Cx) {
    // SAFETY: by this function's contract; the word is atomic.
    unsafe { (*context).interrupt(Interrupts::SAMPLE) };
}

impl Slot {
    /// Assigns a slot to the thread of a context. The caller holds the global lock.
    pub(super) fn attach(cx: &Cx, mode: Mode, activity: Activity) {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let Some(thread) = native_thread(cx) else { return };
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
        slot.context.store(std::ptr::from_ref(cx).cast_mut().cast(), Ordering::Release);
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
                request_fetch(context);
            }
        }
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
}

/// The native thread of a context.
fn native_thread(cx: &Cx) -> Option<host::thread::ThreadId> {
    Some(cx.native_thread).filter(|thread| thread.0 != 0)
}
