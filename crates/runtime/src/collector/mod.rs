//! Listeners of the collector: GC::Profiler, allocation sites, counters by type, GC::Tracer. Children: `profiler`,
//! `sites`, `counts`.
//!
//! They run inside a pause or an allocation and therefore use only native memory.

pub mod counts;
pub mod profiler;
pub mod sites;

use abi::Value;
use heap::{Allocation, Event, Heap, Hooks, Mutator};

use crate::{Cx, Vm, cx::Interrupts};

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

/// The hooks that extensions in C need in the collector; unset until the first one is loaded.
#[derive(Default)]
pub struct Extensions {
    /// Visits the references in C's variables.
    pub trace: Option<fn(&mut heap::Marker)>,
    /// Remembers the objects whose references C changes without a write barrier.
    pub before_collection: Option<fn(&mut Cx)>,
    /// Whether structures of dead objects wait to be freed, and the function that frees them.
    pub has_freed: Option<fn() -> bool>,
    pub run_freed: Option<fn(&mut Cx)>,
    /// Frees the structures of all objects when the process ends.
    pub free_all: Option<fn(&mut Cx)>,
    /// Runs the jobs that were requested by [`crate::concurrency::signals::request_jobs`].
    pub run_jobs: Option<fn(&mut Cx)>,
    /// Called at each event of a collection.
    pub event: Option<fn(Event)>,
    /// Called with each object that is made, whose cell is not filled yet, in the context that makes it.
    pub made: Option<fn(&mut Cx, Value)>,
    /// Called with each object that is about to be freed.
    pub freed: Option<fn(Value)>,
}

/// The references in C's variables.
pub(crate) fn trace_extensions(extensions: &mut Extensions, marker: &mut heap::Marker) {
    if let Some(trace) = extensions.trace {
        trace(marker);
    }
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

impl Cx {
    /// Registers the present set of listeners with the heap.
    pub fn listen_to_collector(&mut self) {
        let data: *mut () = self.vm_pointer().cast();
        let collector = &self.vm().collector;
        let (made, freed) = collector.subscriber.as_ref().map_or((false, false), |s| s.wants_objects());
        let counts = collector.counts.is_some();
        let heap = self.vm().heap;
        let frees = freed || counts || self.vm().extensions.freed.is_some();
        let hooks = Hooks {
            event: Some(on_event),
            freed: frees.then_some(on_freed as unsafe fn(*mut (), Value)),
            promoted: counts.then_some(on_promoted as unsafe fn(*mut (), Value)),
            data,
        };
        // SAFETY: the VM lives as long as the heap.
        unsafe { heap.set_hooks(hooks) };
        let (each, bytes) = self.vm().sampling.allocation_rate();
        let own = if made || self.vm().extensions.made.is_some() { 1 } else { collector.sites.interval() };
        // If every object is reported anyway, sampling by bytes is unnecessary.
        let (interval, bytes) = if own > 0 { (own, 0) } else { (each, bytes) };
        // SAFETY: the VM lives as long as the heap.
        unsafe { heap.set_sampling(interval, bytes, (interval > 0).then_some(on_made), data) };
    }
}

/// The VM, with which `listen_to_collector` registers the listeners.
///
/// # Safety
/// The data is the VM's address, and this is a listener: the collector runs under the global lock, and nothing else
/// uses what listeners use.
unsafe fn vm<'a>(data: *mut ()) -> &'a mut Vm {
    // SAFETY: by this function's contract.
    unsafe { &mut *data.cast::<Vm>() }
}

/// # Safety
/// The data is the VM, with which the listener was registered.
unsafe fn on_event(data: *mut (), event: Event) {
    // SAFETY: by this function's contract.
    let vm = unsafe { vm(data) };
    crate::sampling::collector_event(vm, event);
    vm.collector.profiler.event(vm.heap, event);
    if event == Event::Start
        && let (Some(remember), Some(cx)) = (vm.extensions.before_collection, vm.contexts.first())
    {
        // SAFETY: contexts are registered while their threads live; the one that collects waits in this call.
        remember(unsafe { &mut **cx });
    }
    vm.sampling.allocation_event(vm.heap, event);
    for subscriber in vm.collector.subscriber.iter_mut().chain(&mut vm.collector.trace) {
        subscriber.event(vm.heap, event);
    }
    if let Some(listener) = vm.extensions.event {
        listener(event);
    }
    let has_freed = vm.extensions.has_freed.is_some_and(|has_freed| has_freed());
    if event == Event::Exit && (has_freed || vm.heap.has_finalizable()) {
        for cx in &vm.contexts {
            // SAFETY: contexts are registered while their threads live.
            unsafe { (**cx).interrupt(Interrupts::FINALIZERS) };
        }
    }
}

/// # Safety
/// The data is the VM, with which the listener was registered.
unsafe fn on_freed(data: *mut (), object: Value) {
    // SAFETY: by this function's contract.
    let vm = unsafe { vm(data) };
    if let (Some(counts), Some(cx)) = (&mut vm.collector.counts, vm.contexts.first()) {
        // SAFETY: contexts are registered while their threads live.
        counts.freed(unsafe { (**cx).world() }, object);
    }
    if let Some(subscriber) = vm.collector.subscriber.as_mut().filter(|s| s.wants_objects().1) {
        subscriber.freed(vm.heap);
    }
    if let Some(listener) = vm.extensions.freed {
        listener(object);
    }
}

/// # Safety
/// The data is the VM, with which the listener was registered.
unsafe fn on_promoted(data: *mut (), object: Value) {
    // SAFETY: by this function's contract.
    let vm = unsafe { vm(data) };
    if let (Some(counts), Some(cx)) = (&mut vm.collector.counts, vm.contexts.first()) {
        // SAFETY: contexts are registered while their threads live.
        counts.promoted(unsafe { (**cx).world() }, object);
    }
}

/// # Safety
/// The data is the VM, with which the listener was registered.
unsafe fn on_made(data: *mut (), mutator: &mut Mutator, allocation: Allocation) {
    // SAFETY: by this function's contract.
    let vm = unsafe { vm(data) };
    if allocation.object.is_some()
        && let Some(subscriber) = vm.collector.subscriber.as_mut().filter(|s| s.wants_objects().0)
    {
        subscriber.made(vm.heap);
    }
    let wanted: *const Mutator = mutator;
    // SAFETY: contexts are registered while their threads live.
    let cx = vm.contexts.iter().copied().find(|cx| std::ptr::eq::<Mutator>(unsafe { &****cx }, wanted));
    if let Some(cx) = cx {
        // SAFETY: contexts live as long as their threads, and the thread that allocates waits in this call.
        vm.sampling.made(unsafe { &*cx }, &allocation);
        if let (Some(listener), Some(object)) = (vm.extensions.made, allocation.object) {
            // SAFETY: contexts live as long as their threads, and the thread that allocates waits in this call.
            listener(unsafe { &mut *cx }, object);
        }
    }
    if let (Some(cx), Some(object)) = (cx, allocation.object)
        && vm.collector.sites.is_on()
    {
        // SAFETY: contexts live as long as their threads.
        let word = vm.collector.sites.note(unsafe { &*cx }, vm.heap.collections());
        // If memory is exhausted, the allocation site is not recorded.
        let _ = mutator.note_site(object, word);
    }
}
