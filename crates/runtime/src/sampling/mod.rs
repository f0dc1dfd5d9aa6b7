//! Samples for a profiler: records at regular intervals what every thread is doing.
//!
//! - [`allocations`]: reports allocations to a listener.
//! - [`clock`]: the native thread that requests samples by a signal.
//! - [`slot`]: a thread's records, which the signal handler writes into memory reserved for it.
//! - [`decode`]: turns the records into frames, under the global lock.
//! - [`snapshot`]: the running frames for a profiler in C.
//! - [`thread_hook`]: a function that is told when threads start, stop and wait.
//!
//! Without a profiler a program pays almost nothing: a thread that begins to wait, compile or collect reads one
//! pointer, and records are fetched at a safepoint, which already checks the same word for signals.

pub mod allocations;
mod clock;
mod decode;
mod slot;
pub mod snapshot;
pub mod thread_hook;

pub use decode::{Place, Sample};
pub use slot::{Activity, Slot};

use std::sync::atomic::Ordering;
use std::time::Duration;

use abi::Value;
use heap::{Event, Marker};
use rustc_hash::FxHashSet;

use self::{clock::Clock, thread_hook::ThreadMoment};
use crate::{Cx, Vm, cx::Interrupts};

/// The clock by which the weight of a sample is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Processor time of the thread, in nanoseconds.
    Cpu,
    /// Wall-clock time, in nanoseconds.
    Wall,
}

/// A receiver of samples.
pub trait Sink {
    /// A sample of any thread. The sink may use only native memory, and must not run Ruby.
    fn sample(&mut self, cx: &mut Cx, sample: &Sample<'_>);
    /// For the owner, to downcast.
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any>;
}

/// A pause caused by the collector, in nanoseconds of the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Pause {
    pub began: u64,
    pub ended: u64,
    /// A collection, not a step between two.
    pub is_collection: bool,
}

/// The state of sampling.
#[derive(Default)]
pub struct Sampling {
    run: Option<Run>,
    allocations: Option<allocations::Listening>,
    /// Addresses that a listener has seen that is being stopped.
    ending: FxHashSet<u64>,
    at_end: Option<AtEnd>,
}

/// The state of a sampling run.
struct Run {
    mode: Mode,
    /// `None` while the sink is called.
    sink: Option<Box<dyn Sink>>,
    clock: Clock,
    /// Addresses of the code and the method entries that were sampled. These objects are kept alive and do not move
    /// until sampling ends, so that an address identifies one object.
    kept: FxHashSet<u64>,
    pauses: Vec<Pause>,
    pause: Option<Pause>,
    /// Nanoseconds of samples that found no room.
    lost: u64,
}

/// Takes the results when the process ends.
pub type AtEnd = Box<dyn FnOnce(&mut Cx)>;

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
    slot::install().map_err(Refusal::System)?;
    let own: *mut Cx = cx;
    for context in cx.vm().contexts.clone() {
        // A thread that does not hold the global lock waits for it, or for something else.
        let activity = if context == own { Activity::Running } else { Activity::Waiting };
        // SAFETY: contexts are registered while their threads live.
        Slot::attach(unsafe { &*context }, mode, activity);
    }
    let clock = match Clock::start(interval) {
        Ok(clock) => clock,
        Err(errno) => {
            detach_all(cx);
            host::signal::sampling::uninstall();
            return Err(Refusal::System(errno));
        }
    };
    let (kept, pauses) = (FxHashSet::default(), Vec::new());
    cx.vm_mut().sampling.run = Some(Run { mode, sink: Some(sink), clock, kept, pauses, pause: None, lost: 0 });
    Ok(())
}

/// Stops sampling; `None` if it was not running.
pub fn stop(cx: &mut Cx) -> Option<Outcome> {
    cx.vm_mut().sampling.run.as_mut()?.clock.stop();
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

/// Stops sampling in a forked child, and drops the results: the child has neither the clock nor the other threads.
pub(crate) fn abandon_in_child(cx: &mut Cx) {
    cx.vm_mut().sampling.at_end = None;
    if let Some(run) = cx.vm_mut().sampling.run.take() {
        // The thread of the clock does not exist in this process.
        std::mem::forget(run.clock);
        clock::forget_all();
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
    let Some(mut sink) = cx.vm_mut().sampling.run.as_mut().and_then(|run| run.sink.take()) else { return };
    let lost = decode::drain(cx, slot, sink.as_mut());
    if let Some(run) = cx.vm_mut().sampling.run.as_mut() {
        run.sink = Some(sink);
        run.lost += lost;
    }
}

impl Sampling {
    /// Whether the object is kept, because it was sampled before.
    fn is_kept(&self, address: u64) -> bool {
        self.run.as_ref().is_some_and(|run| run.kept.contains(&address))
    }

    fn keep(&mut self, address: u64) {
        if let Some(run) = &mut self.run {
            run.kept.insert(address);
        }
    }
}

/// Called when a thread begins to run Ruby; it holds the global lock.
pub(crate) fn thread_begins(cx: &mut Cx) {
    if let Some(run) = &cx.vm().sampling.run {
        Slot::attach(cx, run.mode, Activity::Running);
    }
}

/// Called when a thread is about to end; it holds the global lock.
pub(crate) fn thread_ends(cx: &mut Cx) {
    if !cx.sampled.load(Ordering::Relaxed).is_null() {
        take(cx);
        Slot::detach(cx);
    }
}

/// Called when the running thread releases the global lock to wait for something.
#[inline]
pub(crate) fn waits(cx: &Cx) {
    thread_hook::tell(cx, ThreadMoment::Suspended);
    enter(cx, Activity::Waiting);
}

/// Called when it starts to wait for the global lock.
#[inline]
pub(crate) fn wants_lock(cx: &Cx) {
    thread_hook::tell(cx, ThreadMoment::Ready);
    enter(cx, Activity::WantsLock);
}

/// Called when it has the global lock again.
#[inline]
pub(crate) fn runs(cx: &Cx) {
    thread_hook::tell(cx, ThreadMoment::Resumed);
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

/// Handles an event of the collector, which runs in the calling thread.
pub(crate) fn collector_event(vm: &mut Vm, event: Event) {
    let Some(run) = &mut vm.sampling.run else { return };
    // SAFETY: this thread's context lives while the thread runs Ruby, and slots are never freed.
    let slot = unsafe { Cx::of_this_thread().as_ref().and_then(|cx| cx.sampled.load(Ordering::Relaxed).as_ref()) };
    match event {
        Event::Enter => {
            let now = host::clock::monotonic_nanoseconds();
            run.pause = Some(Pause { began: now, ended: now, is_collection: false });
            slot.inspect(|slot| slot.begin_collecting());
        }
        Event::Start => run.pause.iter_mut().for_each(|pause| pause.is_collection = true),
        Event::EndMark | Event::EndSweep => {}
        Event::Exit => {
            slot.inspect(|slot| slot.end_collecting());
            if let Some(pause) = run.pause.take()
                && run.pauses.try_reserve(1).is_ok()
            {
                run.pauses.push(Pause { ended: host::clock::monotonic_nanoseconds(), ..pause });
            }
        }
    }
}

/// A lock to be held while the process forks, so that the child finds the list of slots in a consistent state.
pub(crate) fn before_fork() -> impl Drop {
    clock::lock()
}

/// Keeps the sampled objects alive and in place.
pub(crate) fn trace_kept(sampling: &mut Sampling, marker: &mut Marker) {
    let listener = sampling.allocations.iter().filter_map(|listening| listening.listener.as_ref());
    let of_listener = listener.flat_map(|listener| listener.kept());
    let of_run = sampling.run.iter().flat_map(|run| &run.kept);
    for address in of_run.chain(of_listener).chain(&sampling.ending) {
        marker.value(Value(*address));
    }
}

/// Makes the thread of a context fetch its records at its next safepoint. Called in the signal handler.
///
/// # Safety
/// The context is that of the thread that the handler runs on.
unsafe fn ask(context: *const Cx) {
    // SAFETY: by this function's contract; the word is atomic.
    unsafe { (*context).interrupt(Interrupts::SAMPLE) };
}
