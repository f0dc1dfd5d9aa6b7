//! Samples for a profiler: records at regular intervals what every thread is doing.
//!
//! - [`allocations`]: reports allocations to a listener.
//! - [`record`]: the signal handler, which writes into the memory of `samples`.
//! - [`decode`]: turns the records into frames, under the global lock.
//! - [`snapshot`]: the running frames for a profiler in C.
//! - [`thread_hook`]: a function that is called when threads start, stop and wait.
//!
//! Without a profiler a program pays almost nothing: a thread that begins to wait, compile or collect reads one
//! pointer, and records are fetched at a safepoint, which already checks the same word for signals.

pub mod allocations;
mod decode;
mod record;
pub mod snapshot;
pub mod thread_hook;

pub use crate::{
    samples::slot::Activity,
    state::sampling::{AtEnd, Mode, Pause, Place, Sample, Sink},
};

use std::sync::atomic::Ordering;
use std::time::Duration;

use rustc_hash::FxHashSet;

use self::thread_hook::ThreadMoment;
use crate::{
    Cx,
    samples::{slot::Slot, slots},
    state::sampling::{Run, Schedule},
};

/// The results of sampling, besides those in the sink.
pub struct Outcome {
    pub sink: Box<dyn Sink>,
    pub pauses: Vec<Pause>,
    /// Nanoseconds of samples that found no room.
    pub lost: u64,
}

/// The reason why sampling does not start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    AlreadyRuns,
    /// The program handles the signal itself, or the system cannot start a thread.
    System(host::Errno),
}

pub fn is_running(cx: &Cx) -> bool {
    cx.vm().sampling.run.is_some()
}

/// Starts sampling all threads of the program, including those that start later.
pub fn start(cx: &mut Cx, mode: Mode, interval: Duration, sink: Box<dyn Sink>) -> Result<(), Refusal> {
    if is_running(cx) {
        return Err(Refusal::AlreadyRuns);
    }
    record::install().map_err(Refusal::System)?;
    let own: *mut Cx = cx;
    let interval = (interval.as_nanos() as u64).max(1);
    let schedule = Schedule { mode, began: host::clock::monotonic_nanoseconds(), interval };
    for context in cx.vm().contexts.clone() {
        // A thread that does not hold the global lock waits for it, or for something else.
        let activity = if context == own { Activity::Running } else { Activity::Waiting };
        // SAFETY: contexts are registered while their threads live.
        if let Err(errno) = Slot::attach(unsafe { &*context }, &schedule, activity) {
            detach_all(cx);
            host::signal::sampling::uninstall();
            return Err(Refusal::System(errno));
        }
    }
    let (kept, known, pauses) = (FxHashSet::default(), Vec::new(), Vec::new());
    cx.vm_mut().sampling.run = Some(Run { schedule, sink: Some(sink), kept, known, pauses, pause: None, lost: 0 });
    Ok(())
}

/// Stops sampling; `None` if it was not running.
pub fn stop(cx: &mut Cx) -> Option<Outcome> {
    cx.vm().sampling.run.as_ref()?;
    for context in cx.vm().contexts.clone() {
        // SAFETY: contexts are registered while their threads live.
        let slot = unsafe { &*context }.sampled.load(Ordering::Acquire);
        // SAFETY: slots are never freed.
        if let Some(slot) = unsafe { slot.as_ref() } {
            // A thread that is still waiting has not recorded the time since its last sample.
            if context != std::ptr::from_mut(cx) {
                // SAFETY: contexts are registered while their threads live.
                slot.count_wait(unsafe { &*context });
            }
            drain(cx, slot);
        }
    }
    detach_all(cx);
    host::signal::sampling::uninstall();
    let run = cx.vm_mut().sampling.run.take()?;
    Some(Outcome { sink: run.sink?, pauses: run.pauses, lost: run.lost })
}

/// Stops sampling in a forked child, and drops the results: the child has neither the timers nor the other threads.
pub(crate) fn abandon_in_child(cx: &mut Cx) {
    cx.vm_mut().sampling.at_end = None;
    if cx.vm_mut().sampling.run.take().is_some() {
        slots::forget_all();
        cx.sampled.store(std::ptr::null_mut(), Ordering::Release);
        host::signal::sampling::uninstall();
    }
}

/// Lets sampling, of time or of allocations, continue until the process ends or executes another program; `end` is then
/// called.
pub fn at_end(cx: &mut Cx, end: AtEnd) {
    cx.vm_mut().sampling.at_end = Some(end);
}

/// Called when the process is about to end or to execute another program, which must not receive pending signals.
pub fn process_ends(cx: &mut Cx) {
    if let Some(end) = cx.vm_mut().sampling.at_end.take() {
        end(cx);
    }
    stop(cx);
}

fn detach_all(cx: &mut Cx) {
    for context in &cx.vm().contexts {
        // SAFETY: contexts are registered while their threads live.
        Slot::detach(unsafe { &**context });
    }
}

/// Fetches the running thread's records, at a safepoint.
pub fn take(cx: &mut Cx) {
    let slot = cx.sampled.load(Ordering::Relaxed);
    // SAFETY: slots are never freed.
    if let Some(slot) = unsafe { slot.as_ref() } {
        drain(cx, slot);
    }
}

/// The places of frames that do not run, for a sink. Like those of samples, their values stay alive and do not move
/// until sampling ends.
pub fn places(cx: &mut Cx, frames: impl FnOnce(&Cx) -> Vec<&abi::Frame>) -> Vec<Place> {
    let places: Vec<Place> = frames(cx).into_iter().filter_map(Place::of).collect();
    for place in &places {
        [place.code, place.entry].into_iter().filter(|v| v.is_heap()).for_each(|v| cx.vm_mut().sampling.keep(v.0));
    }
    places
}

fn drain(cx: &mut Cx, slot: &'static Slot) {
    let Some(run) = cx.vm_mut().sampling.run.as_mut() else { return };
    let Some(mut sink) = run.sink.take() else { return };
    let mut known = std::mem::take(&mut run.known);
    let lost = decode::drain(cx, slot, &mut known, sink.as_mut());
    if let Some(run) = cx.vm_mut().sampling.run.as_mut() {
        run.sink = Some(sink);
        run.known = known;
        run.lost += lost;
    }
}

/// Called when a thread begins to run Ruby; it holds the global lock.
pub(crate) fn thread_begins(cx: &mut Cx) {
    if let Some(run) = &cx.vm().sampling.run {
        // A thread for which the system has no timer is not sampled.
        let _ = Slot::attach(cx, &run.schedule, Activity::Running);
    }
}

/// Called when a thread is about to end; it holds the global lock.
pub(crate) fn thread_ends(cx: &mut Cx) {
    // SAFETY: slots are never freed.
    if let Some(slot) = unsafe { cx.sampled.load(Ordering::Relaxed).as_ref() } {
        drain(cx, slot);
        if let Some(run) = &mut cx.vm_mut().sampling.run {
            let thread = slot.number.load(Ordering::Relaxed);
            run.known.retain(|stack| stack.thread != thread);
        }
        Slot::detach(cx);
    }
}

/// Called when the running thread releases the global lock to wait for something.
#[inline]
pub(crate) fn waits(cx: &Cx) {
    thread_hook::notify(cx, ThreadMoment::Suspended);
    enter(cx, Activity::Waiting);
}

/// Called when the running thread starts to wait for the global lock.
#[inline]
pub(crate) fn wants_lock(cx: &Cx) {
    thread_hook::notify(cx, ThreadMoment::Ready);
    enter(cx, Activity::WantsLock);
}

/// Called when the running thread has the global lock again.
#[inline]
pub(crate) fn runs(cx: &Cx) {
    thread_hook::notify(cx, ThreadMoment::Resumed);
    enter(cx, Activity::Running);
}

#[inline]
fn enter(cx: &Cx, activity: Activity) {
    // SAFETY: slots are never freed.
    if let Some(slot) = unsafe { cx.sampled.load(Ordering::Relaxed).as_ref() } {
        slot.enter(cx, activity);
    }
}

/// Runs `f`, and attributes its time to the compiler.
pub fn while_compiling<T>(cx: &mut Cx, f: impl FnOnce(&mut Cx) -> T) -> T {
    // SAFETY: slots are never freed.
    let Some(slot) = (unsafe { cx.sampled.load(Ordering::Relaxed).as_ref() }) else { return f(cx) };
    let before = slot.activity();
    slot.set_activity(Activity::Compiling);
    let result = f(cx);
    slot.set_activity(before);
    result
}

/// A lock to be held while the process forks, so that the child finds the list of slots in a consistent state.
pub(crate) fn before_fork() -> impl Drop {
    slots::lock()
}
