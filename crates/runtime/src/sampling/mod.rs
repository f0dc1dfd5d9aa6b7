//! Samples for a profiler: what every thread does, asked about once an interval.
//!
//! - [`allocations`]: who allocates what, told to a listener.
//! - [`clock`]: the native thread that asks, by a signal.
//! - [`slot`]: a thread's answer, which the signal's handler writes into memory that was set aside for it.
//! - [`decode`]: the answers made into frames, under the global lock.
//!
//! A program pays nothing while nobody samples: the places where a thread begins to wait, compile or collect look at
//! one pointer, and answers are taken up at a safepoint, for the same word that signals set.

pub mod allocations;
mod clock;
mod decode;
mod slot;

pub use decode::{Place, Sample};
pub use slot::{Activity, Slot};

use std::sync::atomic::Ordering;
use std::time::Duration;

use abi::Value;
use heap::{Event, Marker};
use rustc_hash::FxHashSet;

use self::clock::Clock;
use crate::{Cx, Vm, cx::Interrupts};

/// What a sample's weight is measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Processor time of the thread, in nanoseconds.
    Cpu,
    /// Time by the clock on the wall, in nanoseconds.
    Wall,
}

/// Where samples go.
pub trait Sink {
    /// A sample of any thread. May use native memory alone, and run no Ruby.
    fn sample(&mut self, cx: &mut Cx, sample: &Sample<'_>);
    /// For the owner, to downcast.
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any>;
}

/// A pause of the program by the collector, in nanoseconds of the monotonic clock.
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
    /// What a listener that is ending has seen.
    ending: FxHashSet<u64>,
}

/// Sampling that is under way.
struct Run {
    mode: Mode,
    /// `None` while the sink is called.
    sink: Option<Box<dyn Sink>>,
    clock: Clock,
    /// Addresses of the code and the method entries that were sampled. They are kept alive and in place until sampling
    /// ends, so that an address stands for one thing.
    kept: FxHashSet<u64>,
    pauses: Vec<Pause>,
    pause: Option<Pause>,
    /// Nanoseconds of samples that found no room.
    lost: u64,
    at_end: Option<AtEnd>,
}

/// Takes the results when the process ends.
pub type AtEnd = Box<dyn FnOnce(&mut Cx)>;

/// What sampling gave, besides what the sink has.
pub struct Outcome {
    pub sink: Box<dyn Sink>,
    pub pauses: Vec<Pause>,
    /// Nanoseconds of samples that found no room.
    pub lost: u64,
}

/// Why sampling does not start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    AlreadyRuns,
    /// The program handles the signal itself, or the system gives no thread.
    System(host::Errno),
}

pub fn is_running(cx: &Cx) -> bool {
    cx.vm().sampling.run.is_some()
}

/// Begins to sample all threads of the program, those that start later included.
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
    cx.vm_mut().sampling.run =
        Some(Run { mode, sink: Some(sink), clock, kept, pauses, pause: None, lost: 0, at_end: None });
    Ok(())
}

/// Ends it; `None` if nobody samples.
pub fn stop(cx: &mut Cx) -> Option<Outcome> {
    cx.vm_mut().sampling.run.as_mut()?.clock.stop();
    for context in cx.vm().contexts.clone() {
        // SAFETY: contexts are registered while their threads live.
        let slot = unsafe { &*context }.sampled.load(Ordering::Acquire);
        // SAFETY: slots are never freed.
        if let Some(slot) = unsafe { slot.as_ref() } {
            // A thread that still waits has not answered for the time since its last sample.
            if context != std::ptr::from_mut(cx) {
                slot.count_wait(context);
            }
            drain(cx, slot);
        }
    }
    detach_all(cx);
    host::signal::sampling::uninstall();
    let run = cx.vm_mut().sampling.run.take()?;
    Some(Outcome { sink: run.sink?, pauses: run.pauses, lost: run.lost })
}

/// Ends it where the results are worth nothing: in a forked child, which has neither the clock nor the other threads.
pub(crate) fn abandon_in_child(cx: &mut Cx) {
    if let Some(run) = cx.vm_mut().sampling.run.take() {
        // The thread of the clock does not exist in this process.
        std::mem::forget(run.clock);
        clock::forget_all();
        cx.sampled.store(std::ptr::null_mut(), Ordering::Release);
        host::signal::sampling::uninstall();
    }
}

/// Sampling goes on until the process ends or becomes another program, where `end` is called.
pub fn at_end(cx: &mut Cx, end: AtEnd) {
    if let Some(run) = &mut cx.vm_mut().sampling.run {
        run.at_end = Some(end);
    }
}

/// The process is about to end, or to become another program, for which no signal must be left over.
pub fn process_ends(cx: &mut Cx) {
    if let Some(end) = cx.vm_mut().sampling.run.as_mut().and_then(|run| run.at_end.take()) {
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

/// Takes up the running thread's answers, at a safepoint.
pub fn take(cx: &mut Cx) {
    let slot = cx.sampled.load(Ordering::Relaxed);
    // SAFETY: slots are never freed.
    if let Some(slot) = unsafe { slot.as_ref() } {
        drain(cx, slot);
    }
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
    /// Is the object kept, because it was sampled before?
    fn is_kept(&self, address: u64) -> bool {
        self.run.as_ref().is_some_and(|run| run.kept.contains(&address))
    }

    fn keep(&mut self, address: u64) {
        if let Some(run) = &mut self.run {
            run.kept.insert(address);
        }
    }
}

/// A thread begins to run Ruby; it holds the global lock.
pub(crate) fn thread_begins(cx: &mut Cx) {
    if let Some(run) = &cx.vm().sampling.run {
        Slot::attach(cx, run.mode, Activity::Running);
    }
}

/// A thread is about to end; it holds the global lock.
pub(crate) fn thread_ends(cx: &mut Cx) {
    if !cx.sampled.load(Ordering::Relaxed).is_null() {
        take(cx);
        Slot::detach(cx);
    }
}

/// The running thread gives up the global lock to wait for something.
#[inline]
pub(crate) fn waits(cx: *const Cx) {
    enter(cx, Activity::Waiting);
}

/// It waits for the global lock from now on.
#[inline]
pub(crate) fn wants_lock(cx: *const Cx) {
    enter(cx, Activity::WantsLock);
}

/// It has the global lock again.
#[inline]
pub(crate) fn runs(cx: *const Cx) {
    enter(cx, Activity::Running);
}

#[inline]
fn enter(cx: *const Cx, activity: Activity) {
    // SAFETY: the context is the calling thread's, and the pointer to the slot is atomic; slots are never freed.
    if let Some(slot) = unsafe { (*cx).sampled.load(Ordering::Relaxed).as_ref() } {
        slot.enter(cx, activity);
    }
}

/// Runs `f`, which belongs to the compiler.
pub fn while_compiling<T>(cx: &mut Cx, f: impl FnOnce(&mut Cx) -> T) -> T {
    // SAFETY: slots are never freed.
    let Some(slot) = (unsafe { cx.sampled.load(Ordering::Relaxed).as_ref() }) else { return f(cx) };
    let before = slot.activity();
    slot.set_activity(Activity::Compiling);
    let result = f(cx);
    slot.set_activity(before);
    result
}

/// A moment of the collector, which runs in the calling thread.
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

/// Held while the process forks, so that the child finds the list of slots in order.
pub(crate) fn before_fork() -> impl Drop {
    clock::lock()
}

/// What was sampled stays alive and in place.
pub(crate) fn trace_kept(sampling: &mut Sampling, marker: &mut Marker) {
    let listener = sampling.allocations.iter().filter_map(|listening| listening.listener.as_ref());
    let of_listener = listener.flat_map(|listener| listener.kept());
    let of_run = sampling.run.iter().flat_map(|run| &run.kept);
    for address in of_run.chain(of_listener).chain(&sampling.ending) {
        marker.value(Value(*address));
    }
}

/// Asks the thread of a context to take up its answers. Called in the handler of a signal.
fn ask(context: *const Cx) {
    // SAFETY: the context is that of the thread that the handler runs on; the word is atomic.
    unsafe { (*context).interrupts.fetch_or(Interrupts::SAMPLE, Ordering::Relaxed) };
}
