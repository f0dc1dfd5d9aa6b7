//! The roots of the collector: VM stacks, contexts, tables.

use std::sync::atomic::{AtomicUsize, Ordering};

use abi::Value;
use heap::{Marker, Trace};

use crate::{Cx, Vm};

/// Visits one category of roots.
pub type Walk = fn(&mut Vm, &mut Marker);

/// The roots by category, with the names that ObjectSpace.reachable_objects_from_root and heap dumps use.
pub const ROOTS: &[(&str, Walk)] = &[
    ("vm", |vm, marker| vm.trace(marker)),
    ("global_tbl", |vm, marker| vm.globals.trace(marker)),
    ("end_proc", |vm, marker| vm.at_exit.trace(marker)),
    ("threads", trace_contexts),
    ("world", trace_world),
    ("allocation_sites", |vm, marker| vm.collector.sites.trace(marker)),
];

/// Visits every root of the VM. Registered with the heap at start.
///
/// # Safety
/// `vm` is the VM, and nothing else uses it.
pub unsafe fn trace_roots(vm: *mut (), marker: &mut Marker) {
    // SAFETY: by this function's contract.
    let vm = unsafe { &mut *vm.cast::<Vm>() };
    for (_, walk) in ROOTS {
        walk(vm, marker);
    }
}

/// Passes all references of one kind of roots to `f`, which must not allocate.
pub fn visit(cx: &mut Cx, walk: Walk, f: &mut dyn FnMut(heap::Reference)) {
    let vm = cx.vm_pointer();
    // SAFETY: the walk reads and writes only roots, and nothing else runs during it.
    cx.references_of(f, &mut |marker| walk(unsafe { &mut *vm }, marker));
}

fn trace_contexts(vm: &mut Vm, marker: &mut Marker) {
    for cx in &vm.contexts {
        // SAFETY: contexts are registered while their threads live.
        unsafe { (**cx).trace(marker) };
    }
}

/// Classes, shapes, symbols.
fn trace_world(vm: &mut Vm, marker: &mut Marker) {
    if let Some(cx) = vm.contexts.first() {
        // SAFETY: every context shares the one world.
        let world = unsafe { &mut *(**cx).world_pointer() };
        world.classes.trace(marker);
        world.symbols.trace(marker);
    }
}

/// The stacks of a context's thread.
pub(crate) fn trace_stacks(cx: &mut Cx, marker: &mut Marker) {
    if cx.native_low != 0 {
        // SAFETY: the thread waits for the global lock, so that its stack from `native_low` up does not change.
        unsafe { marker.conservative(cx.native_low as *const u8, cx.current_native_base() as *const u8) };
    }
    // SAFETY: the context's own stack; its thread waits or collects.
    unsafe { trace_stack(cx.stack.low, cx.frame, cx.stack.high, marker) };
}

/// Passes every word of the native stacks to `f`: of the running thread from here on, of threads that wait for the
/// global lock, and of fibers that do not run.
pub fn each_native_word(cx: &Cx, f: &mut dyn FnMut(usize)) {
    let mut words = |low: usize, base: usize| {
        for at in (low.next_multiple_of(size_of::<usize>())..base).step_by(size_of::<usize>()) {
            // SAFETY: the words of a stack in use; the stacks do not change meanwhile.
            f(unsafe { (at as *const usize).read_volatile() });
        }
    };
    let base = cx.current_native_base();
    heap::with_registers_on_stack(|low| words(low as usize, base));
    for other in &cx.vm().contexts {
        // SAFETY: contexts are registered while their threads live.
        let other = unsafe { &**other };
        if other.native_low != 0 {
            words(other.native_low, other.current_native_base());
        }
    }
    crate::concurrency::fiber::each_waiting_stack(cx.vm(), &mut words);
}

/// The number of words above the top frame's registers that may belong to bodies inlined in compiled code; 0 until such
/// code exists.
static BEHIND_TOP: AtomicUsize = AtomicUsize::new(0);

/// Called when compiled code with inlined bodies exists for the first time.
pub fn look_behind_top() {
    BEHIND_TOP.store(super::stack::MOST_INLINED, Ordering::Relaxed);
}

/// Traces a VM stack whose top frame is `frame`. Suspended fibers' stacks are traced through their objects.
///
/// # Safety
/// `low` and `high` are the ends of a VM stack on which nothing is running, and `frame` is null or the top frame on it.
pub unsafe fn trace_stack(low: *mut Value, frame: *mut abi::Frame, high: *mut Value, marker: &mut Marker) {
    if frame.is_null() {
        return;
    }
    // SAFETY: between `low` and the top frame's registers there are only values; records lie between the top frame and
    // `high`.
    unsafe {
        let end = (*frame).scope.slots.add((*frame).registers as usize);
        let behind = BEHIND_TOP.load(Ordering::Relaxed).min((frame as usize - end as usize) / size_of::<Value>());
        let end = end.add(behind);
        // Not all of it is live: a callee's registers start among its caller's temporaries and may end before these do,
        // so that recent collections did not visit the words after them.
        marker.stale_slots(low, end.offset_from(low) as usize);
        let mut at = frame;
        while (at as usize) < high as usize {
            let f = &mut *at;
            let own = [&mut f.scope.cref, &mut f.scope.entry, &mut f.scope.block.0, &mut f.scope.special];
            for value in own.into_iter().chain([&mut f.scope.code, &mut f.scope.environment, &mut f.block_code]) {
                value.trace(marker);
            }
            // A block may run for a Proc that nothing else refers to; its scope is inside an environment, which must
            // stay alive.
            marker.maybe(f.scope.outer as usize);
            at = at.add(1);
        }
    }
}
