//! Listeners of the collector: GC::Profiler, allocation sites, counters by type, GC::Tracer. Children: `profiler`,
//! `sites`, `counts`.
//!
//! They run inside a pause or an allocation and therefore use only native memory.

pub mod counts;
pub mod profiler;
pub mod sites;

use heap::{Event, Heap};

/// A further listener for collections: GC::Tracer.
pub trait Subscriber {
    /// Called at one moment of a collection. It may only read statistics of the heap.
    fn event(&mut self, heap: &Heap, event: Event);
    fn made(&mut self, heap: &Heap);
    fn freed(&mut self, heap: &Heap);
    /// Whether it wants `made` and `freed` calls.
    fn wants_objects(&self) -> (bool, bool);
    /// For the owner, to downcast.
    fn as_any(&mut self) -> &mut dyn std::any::Any;
}

#[derive(Default)]
pub struct Collector {
    pub profiler: profiler::Profiler,
    pub sites: sites::Sites,
    /// `--stats`
    pub counts: Option<Box<counts::Counts>>,
    pub subscriber: Option<Box<dyn Subscriber>>,
    /// `--trace-gc`
    pub trace: Option<Box<dyn Subscriber>>,
}
