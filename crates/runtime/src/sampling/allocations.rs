//! Reports allocations, with the frames that made them, to a listener.
//!
//! The listener runs inside an allocation or a collection, so it may use only native memory.

use abi::{Frame, FrameFlags};
use heap::{Allocation, Event, Heap};
use rustc_hash::FxHashSet;

use super::{Place, Sampling};
use crate::{Cx, code::code};

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

pub(super) struct Listening {
    pub rate: Rate,
    /// `None` while it is called.
    pub listener: Option<Box<dyn Listener>>,
}

/// Starts reporting allocations to a listener; false if there already is one, or if allocation sites are being traced.
pub fn start(cx: &mut Cx, rate: Rate, listener: Box<dyn Listener>) -> bool {
    if cx.vm().sampling.allocations.is_some() || cx.vm().collector.sites.is_on() {
        return false;
    }
    cx.vm_mut().sampling.allocations = Some(Listening { rate, listener: Some(listener) });
    cx.listen_to_collector();
    true
}

/// Stops reporting, and passes the listener to `finish`; the objects that it has seen stay alive until that returns.
/// `None` if there is no listener.
pub fn stop<T>(cx: &mut Cx, finish: impl FnOnce(&mut Cx, Box<dyn Listener>) -> T) -> Option<T> {
    let listener = cx.vm_mut().sampling.allocations.take()?.listener?;
    cx.listen_to_collector();
    cx.vm_mut().sampling.ending = listener.kept().clone();
    let result = finish(cx, listener);
    cx.vm_mut().sampling.ending = FxHashSet::default();
    Some(result)
}

impl Sampling {
    /// The interval and the bytes between samples for the heap; 0 and 0 without a listener.
    pub(crate) fn allocation_rate(&self) -> (u32, u32) {
        match self.allocations.as_ref().map(|listening| listening.rate) {
            None => (0, 0),
            Some(Rate::EachObject) => (1, 0),
            Some(Rate::Bytes(bytes)) => (1, bytes),
        }
    }

    /// An allocation of a context was sampled.
    pub(crate) fn made(&mut self, cx: &Cx, allocation: &Allocation) {
        let Some(listening) = &mut self.allocations else { return };
        let is_wanted = listening.rate != Rate::EachObject || allocation.object.is_some();
        if let Some(listener) = listening.listener.as_mut().filter(|_| is_wanted) {
            listener.made(&mut frames(cx), allocation);
        }
    }

    pub(crate) fn allocation_event(&mut self, heap: &Heap, event: Event) {
        if let Some(listener) = self.allocations.as_mut().and_then(|listening| listening.listener.as_mut()) {
            listener.event(heap, event);
        }
    }
}

/// The running frames of a context, as places.
fn frames(cx: &Cx) -> impl Iterator<Item = Place> {
    cx.frames().filter_map(Place::of)
}

impl Place {
    /// The place of a frame that has saved its position; `None` for a hidden one.
    pub(super) fn of(frame: &Frame) -> Option<Place> {
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
