//! The state of the profiler: what is sampled, and where samples go.

use abi::{Frame, FrameFlags, Value};
use heap::{Allocation, Event, Heap, Marker};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering;

use super::cx::Cx;
use crate::{code::code, samples::slot::Activity};

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
    pub(crate) run: Option<Run>,
    pub(crate) allocations: Option<Listening>,
    /// Addresses that were seen by the listener that is being stopped.
    pub(crate) ending: FxHashSet<u64>,
    pub(crate) at_end: Option<AtEnd>,
}

/// When samples are taken.
pub(crate) struct Schedule {
    pub(crate) mode: Mode,
    /// When sampling began, by the monotonic clock, and the nanoseconds between samples.
    pub(crate) began: u64,
    pub(crate) interval: u64,
}

/// The latest sample of a thread, from its outermost frame on, so that the frames that the next one shares with it are
/// not decoded again.
#[derive(Default)]
pub(crate) struct KnownStack {
    /// The thread's number.
    pub(crate) thread: u32,
    /// The number of units of machine code that were installed.
    pub(crate) installed: u64,
    /// The words of each frame, and how many frames of `places` came from it and those before it.
    pub(crate) words: Vec<([u64; 3], usize)>,
    pub(crate) places: Vec<Place>,
}

/// The state of a sampling run.
pub(crate) struct Run {
    pub(crate) schedule: Schedule,
    /// `None` while the sink is called.
    pub(crate) sink: Option<Box<dyn Sink>>,
    /// Addresses of the code and the method entries that were sampled. These objects are kept alive and do not move
    /// until sampling ends, so that an address identifies one object.
    pub(crate) kept: FxHashSet<u64>,
    pub(crate) known: Vec<KnownStack>,
    pub(crate) pauses: Vec<Pause>,
    pub(crate) pause: Option<Pause>,
    /// Nanoseconds of samples that found no room.
    pub(crate) lost: u64,
}

/// Takes the results when the process ends.
pub type AtEnd = Box<dyn FnOnce(&mut Cx)>;

/// A frame of a sample. Its values stay alive and do not move until sampling ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The code, or nil for a native method.
    pub code: Value,
    /// The entry of the method, or nil.
    pub entry: Value,
    /// The instruction being executed; [`Place::NOT_BEGUN`] before the first one.
    pub word: u32,
    /// Machine code exists for the code object.
    pub is_compiled: bool,
}

impl Place {
    pub const NOT_BEGUN: u32 = u32::MAX;

    /// The place of a frame that has saved its position; `None` for a hidden one.
    pub(crate) fn of(frame: &Frame) -> Option<Place> {
        if frame.flags & FrameFlags::HIDDEN != 0 {
            return None;
        }
        let (own, entry) = (frame.scope.code, frame.scope.entry);
        if own.is_nil() {
            return entry.is_heap().then_some(Place { code: own, entry, word: 0, is_compiled: false });
        }
        // A body that is being linked has not begun, and its frame's `pc` does not point into its code.
        let distance = (frame.pc as usize).checked_sub(code(&own).start() as usize).map(|bytes| bytes / 8);
        let word = distance.and_then(|words| words.checked_sub(1)).filter(|word| *word < code(&own).instructions.len());
        let word = word.map_or(Place::NOT_BEGUN, |word| word as u32);
        Some(Place { code: own, entry, word, is_compiled: code(&own).tier.is_compiled() })
    }
}

/// What a thread was doing.
pub struct Sample<'a> {
    /// A unique number of the thread.
    pub thread: u32,
    pub activity: Activity,
    /// When it was taken, in nanoseconds of the monotonic clock.
    pub time: u64,
    /// The nanoseconds that it stands for, by the clock of the mode.
    pub weight: u64,
    /// The frames of the fiber that ran, outermost first.
    pub frames: &'a [Place],
    /// The number of outermost frames that are those of the thread's previous sample.
    pub shared: usize,
    /// That fiber is the running one: it has not been left since.
    pub is_current: bool,
}

/// Which allocations are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rate {
    /// Every object, and no buffers.
    EachObject,
    /// Objects and buffers: on average one allocation per this many bytes.
    Bytes(u32),
}

/// A listener of allocations.
pub trait Listener {
    /// An allocation was made in these frames, innermost first. An object's cell is not filled yet.
    fn made(&mut self, frames: &mut dyn Iterator<Item = Place>, allocation: &Allocation);
    /// Called at each event of a collection.
    fn event(&mut self, heap: &Heap, event: Event);
    /// Addresses of the code and entries of the frames that it has seen; these stay alive and do not move.
    fn kept(&self) -> &FxHashSet<u64>;
    /// For the owner, to downcast.
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any>;
}

pub(crate) struct Listening {
    pub rate: Rate,
    /// `None` while it is called.
    pub listener: Option<Box<dyn Listener>>,
}

impl Sampling {
    /// Whether the object is kept, because it was sampled before.
    pub(crate) fn is_kept(&self, address: u64) -> bool {
        self.run.as_ref().is_some_and(|run| run.kept.contains(&address))
    }

    pub(crate) fn keep(&mut self, address: u64) {
        if let Some(run) = &mut self.run {
            run.kept.insert(address);
        }
    }

    /// The interval and the bytes between samples for the heap; 0 and 0 without a listener.
    pub(crate) fn allocation_rate(&self) -> (u32, u32) {
        match self.allocations.as_ref().map(|listening| listening.rate) {
            None => (0, 0),
            Some(Rate::EachObject) => (1, 0),
            Some(Rate::Bytes(bytes)) => (1, bytes),
        }
    }

    pub(crate) fn allocation_event(&mut self, heap: &Heap, event: Event) {
        if let Some(listener) = self.allocations.as_mut().and_then(|listening| listening.listener.as_mut()) {
            listener.event(heap, event);
        }
    }

    /// Handles an event of the collector, which runs in the calling thread.
    pub(crate) fn event(&mut self, event: Event) {
        let Some(run) = &mut self.run else { return };
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
}

/// Keeps the sampled objects alive and in place.
pub(super) fn trace_kept(sampling: &mut Sampling, marker: &mut Marker) {
    let listener = sampling.allocations.iter().filter_map(|listening| listening.listener.as_ref());
    let of_listener = listener.flat_map(|listener| listener.kept());
    let of_run = sampling.run.iter().flat_map(|run| &run.kept);
    for address in of_run.chain(of_listener).chain(&sampling.ending) {
        marker.value(Value(*address));
    }
}
