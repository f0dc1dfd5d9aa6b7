//! Passes the events of the heap, collections and allocations, to their listeners.

use abi::{Frame, FrameFlags, Value};
use heap::{Allocation, Event, Hooks, Mutator};

use crate::{
    Cx, Vm,
    code::code,
    collector::sites::{Origin, Site},
    cx::Interrupts,
    state::{
        deep_recursion::CALLS_IN_CRUBY,
        sampling::{Place, Rate, Sampling},
    },
};

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
        let observes_allocations = interval == 1;
        if std::mem::replace(&mut self.vm_mut().observes_allocations, observes_allocations) != observes_allocations {
            self.vm().refresh_compiled();
        }
    }

    /// The object's allocation site, if it was recorded.
    pub fn origin(&self, object: Value) -> Option<Origin> {
        if !object.is_heap() {
            return None;
        }
        let word = self.site(object)?;
        let site = self.vm().collector.sites.get(word)?;
        Some(Origin { site, generation: word >> 32 })
    }

    /// Forgets all allocation sites.
    pub fn clear_origins(&mut self) {
        self.clear_sites();
        self.vm_mut().collector.sites.clear();
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
    vm.sampling.event(event);
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
    if event == Event::Exit {
        let old_bytes = vm.heap.old_bytes();
        for cx in &vm.contexts {
            // SAFETY: contexts are registered while their threads live, which wait or are in this call.
            watch_recursion(unsafe { &mut **cx }, old_bytes);
        }
    }
    let has_freed = vm.extensions.has_freed.is_some_and(|has_freed| has_freed());
    if event == Event::Exit && (has_freed || vm.heap.has_finalizable()) {
        for cx in &vm.contexts {
            // SAFETY: contexts are registered while their threads live.
            unsafe { (**cx).interrupt(Interrupts::FINALIZERS) };
        }
    }
}

/// Asks for a check at the next safepoint if there are many frames and too many old bytes.
fn watch_recursion(cx: &mut Cx, old_bytes: usize) {
    let frames = if cx.frame.is_null() { 0 } else { cx.stack.high as usize - cx.frame as usize };
    if frames / std::mem::size_of::<Frame>() <= CALLS_IN_CRUBY {
        cx.recursion_limit.allow(old_bytes);
    } else if cx.recursion_limit.is_check_due(old_bytes) {
        cx.interrupt(Interrupts::RECURSION);
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
        made(&mut vm.sampling, unsafe { &*cx }, &allocation);
        if let (Some(listener), Some(object)) = (vm.extensions.made, allocation.object) {
            // SAFETY: contexts live as long as their threads, and the thread that allocates waits in this call.
            listener(unsafe { &mut *cx }, object);
        }
    }
    if let (Some(cx), Some(object)) = (cx, allocation.object)
        && vm.collector.sites.is_on()
    {
        // SAFETY: contexts live as long as their threads.
        let word = vm.collector.sites.note(here(unsafe { &*cx }), vm.heap.collections());
        // If memory is exhausted, the allocation site is not recorded.
        let _ = mutator.note_site(object, word);
    }
}

/// The allocation site in the innermost frame that programs see.
fn here(cx: &Cx) -> Site {
    let mut site = Site { code: Value::NIL, word: 0, entry: Value::NIL };
    if cx.frame.is_null() {
        return site;
    }
    let mut innermost = true;
    for frame in cx.frames() {
        let native = frame.flags & FrameFlags::NATIVE != 0;
        if frame.flags & FrameFlags::HIDDEN != 0 || (native && frame.scope.entry.is_nil()) {
            continue;
        }
        let body = (!native && !frame.scope.code.is_nil()).then(|| code(&frame.scope.code));
        // A block inside the Ruby half of a core method is replaced by the enclosing method.
        let inner = body.is_some_and(|b| b.internal && (b.block_depth > 0 || b.kind != bytecode::Kind::Method));
        // Methods called by `new` are replaced by its caller, because `new` has no frame.
        let allocates = native && object::method_entry::name(frame.scope.entry) == crate::sym::ALLOCATE;
        if innermost && !inner && !allocates {
            site.entry = frame.scope.entry;
            innermost = false;
        }
        if let Some(body) = body.filter(|b| !b.internal) {
            site.code = frame.scope.code;
            site.word = body.word_of(frame.pc).saturating_sub(1) as u32;
            break;
        }
    }
    site
}

/// An allocation of a context was sampled.
fn made(sampling: &mut Sampling, cx: &Cx, allocation: &Allocation) {
    let Some(listening) = &mut sampling.allocations else { return };
    let is_wanted = listening.rate != Rate::EachObject || allocation.object.is_some();
    if let Some(listener) = listening.listener.as_mut().filter(|_| is_wanted) {
        listener.made(&mut frames(cx), allocation);
    }
}

/// The running frames of a context, as places.
fn frames(cx: &Cx) -> impl Iterator<Item = Place> {
    cx.frames().filter_map(Place::of)
}
