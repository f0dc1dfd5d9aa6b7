//! Writes samples into a thread's slot: in the handler of the signal, or when a wait ends.

use std::sync::atomic::{AtomicU32, Ordering, compiler_fence};

use abi::{Frame, FrameFlags};
use host::{
    clock,
    signal::sampling::{REGISTERS, Timer},
};

use super::Mode;
use crate::{
    Cx,
    code::open_frames::OpenFrames,
    cx::Interrupts,
    samples::{
        slot::{Activity, FIRST_FRAME, FRAME, HEAD, MOST_FRAMES, Slot, WORDS},
        slots,
    },
    state::{sampling::Schedule, stack::MOST_INLINED_FRAMES},
};

/// Sets the handler.
pub(super) fn install() -> host::Result<()> {
    // SAFETY: `attach` alone makes timers, with the address of a slot.
    unsafe { host::signal::sampling::install(on_sample_signal) }
}

/// # Safety
/// The target is a slot. Called in the signal's handler.
unsafe fn on_sample_signal(target: *mut (), overran: bool, registers: &[u64; REGISTERS]) {
    // SAFETY: by this function's contract; slots are never freed.
    let slot = unsafe { &*target.cast::<Slot>() };
    let context = slot.context.load(Ordering::Acquire).cast::<Cx>();
    if context.is_null() {
        return;
    }
    // The time of a wait is counted when the wait ends. The timer starts again then, so that a wait is interrupted once
    // at most.
    if slot.activity().is_idle() {
        slot.stop_timer();
        return;
    }
    // SAFETY: the context is that of this thread, which stays alive meanwhile.
    unsafe {
        if slot.record(context, slot.activity(), registers, overran) {
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
    pub(super) fn attach(cx: &Cx, run: &Schedule, activity: Activity) -> host::Result<()> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let Some(thread) = native_thread(cx) else { return Ok(()) };
        let slot = slots::take();
        match Timer::new(thread, std::ptr::from_ref(slot).cast_mut().cast()) {
            Ok(timer) => slot.set_timer(timer),
            Err(errno) => {
                slots::give_back(slot);
                return Err(errno);
            }
        }
        slot.number.store(NEXT.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        slot.set_activity(activity);
        slot.is_wall.store(run.mode == Mode::Wall, Ordering::Relaxed);
        slot.began.store(run.began, Ordering::Relaxed);
        slot.interval.store(run.interval, Ordering::Relaxed);
        slot.lost.store(0, Ordering::Relaxed);
        let written = slot.written.load(Ordering::Relaxed);
        slot.read.store(written, Ordering::Relaxed);
        slot.latest.store(usize::MAX, Ordering::Relaxed);
        let is_wall = run.mode == Mode::Wall;
        let now = if is_wall { clock::monotonic_nanoseconds() } else { clock::cpu_nanoseconds_of(thread) };
        slot.counted.store(now, Ordering::Relaxed);
        slot.context.store(std::ptr::from_ref(cx).cast_mut().cast(), Ordering::Release);
        cx.sampled.store(std::ptr::from_ref(slot).cast_mut(), Ordering::Release);
        if !activity.is_idle() {
            slot.start_timer();
        }
        Ok(())
    }

    /// Ends the sampling of the context's thread. The caller holds the global lock.
    pub(super) fn detach(cx: &Cx) {
        let slot = cx.sampled.swap(std::ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: slots are never freed.
        if let Some(slot) = unsafe { slot.as_ref() } {
            drop(slot.take_timer());
            slot.context.store(std::ptr::null_mut(), Ordering::Release);
            slots::give_back(slot);
        }
    }

    /// Sets the thread's activity. Called by the thread itself; it is idle before or after the change.
    pub(super) fn enter(&self, context: &Cx, activity: Activity) {
        if self.activity().is_idle() {
            self.count_wait(context);
        }
        self.set_activity(activity);
        if !activity.is_idle() {
            compiler_fence(Ordering::SeqCst);
            self.start_timer();
        }
    }

    /// Counts the time of a wait, if it was longer than the interval. The thread is idle.
    pub(super) fn count_wait(&self, context: &Cx) {
        if !self.activity().is_idle() || !self.is_wall.load(Ordering::Relaxed) {
            return;
        }
        let waited = clock::monotonic_nanoseconds().saturating_sub(self.counted.load(Ordering::Relaxed));
        if waited >= self.interval.load(Ordering::Relaxed) {
            // SAFETY: the context is alive, and its thread is this one or waits.
            unsafe {
                if self.record(context, self.activity(), &[0; REGISTERS], false) {
                    request_fetch(context);
                }
            }
        }
    }

    /// Whether the timer expired while the thread did not have a processor. Its processor time then counts for the next
    /// sample: otherwise the places where the system takes the processor away, such as the ends of system calls, would
    /// get the time that was spent before them.
    fn is_late(&self, time: u64, weight: u64, overran: bool) -> bool {
        /// Nanoseconds that a signal may take.
        const DELIVERY: u64 = 100_000;
        /// After so many intervals a sample is taken anyway, for systems whose timers are inexact.
        const MOST: u64 = 16;
        let interval = self.interval.load(Ordering::Relaxed);
        let since_tick = time.saturating_sub(self.began.load(Ordering::Relaxed)) % interval;
        let is_late = overran || since_tick > DELIVERY.max(interval / 8);
        is_late && !self.is_wall.load(Ordering::Relaxed) && weight < MOST * interval
    }

    /// Writes a record of the calling thread, or of one that waits for the global lock that the caller holds. False if
    /// there is nothing to read.
    ///
    /// # Safety
    /// The context is alive, and its thread is this one or waits.
    unsafe fn record(
        &self,
        context: *const Cx,
        activity: Activity,
        registers: &[u64; REGISTERS],
        overran: bool,
    ) -> bool {
        // SAFETY: by this function's contract; the flag is atomic.
        if unsafe { (*context).switches_fiber.load(Ordering::Relaxed) } {
            return false;
        }
        let is_wall = self.is_wall.load(Ordering::Relaxed);
        let time = clock::monotonic_nanoseconds();
        let now = if is_wall { time } else { clock::thread_cpu_nanoseconds() };
        let weight = now.saturating_sub(self.counted.load(Ordering::Relaxed));
        if self.is_late(time, weight, overran) {
            return false;
        }
        self.counted.store(now, Ordering::Relaxed);
        let start = self.written.load(Ordering::Relaxed);
        let most = WORDS - (start - self.read.load(Ordering::Acquire));
        if most < FIRST_FRAME + FRAME * MOST_FRAMES {
            self.lost.fetch_add(weight, Ordering::Relaxed);
            return true;
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
        true
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
            // words, or those of its image, are only copied.
            let (code, entry, pc, flags, open) = unsafe {
                let pc = (&raw const (*frame).pc).read_volatile() as u64;
                let environment = (&raw const (*frame).scope.environment).read_volatile();
                let words = OpenFrames::image(environment).map_or(frame, |image| image.0.as_ptr().cast::<Frame>());
                let scope = &raw const (*words).scope;
                (
                    (&raw const (*scope).code).read_volatile().0,
                    (&raw const (*scope).entry).read_volatile().0,
                    pc,
                    (&raw const (*words).flags).read_volatile(),
                    (&raw const (*words).open).read_volatile() as usize,
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
            // The frame below open ones describes them.
            place += (1 + open.min(MOST_INLINED_FRAMES)) * size_of::<Frame>();
        }
        (at, is_native)
    }
}

/// The native thread of a context.
fn native_thread(cx: &Cx) -> Option<host::thread::ThreadId> {
    Some(cx.native_thread).filter(|thread| thread.0 != 0)
}
