//! The roots of the collector: VM stacks, contexts, tables.

use heap::{Marker, Trace};
use object::native;

use super::{cx::Cx, fiber::FiberState, frames::frames_from, vm::Vm};

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
    each_waiting_stack(cx.vm(), &mut words);
}

/// Writes the open frames of all stacks.
pub fn write_open_frames(cx: &Cx) {
    for cx in &cx.vm().contexts {
        // SAFETY: contexts are registered while their threads live.
        unsafe { (**cx).write_all_open_frames() };
    }
    each_waiting_fiber(cx.vm(), &mut |state| {
        if let Some(stack) = state.stack {
            // SAFETY: the fiber waits; these are its innermost frame and its stack's end.
            unsafe { frames_from(state.frame, stack.high).for_each(drop) };
        }
    });
}

/// Passes the lowest address in use and the end of the native stacks of all fibers that do not run to `f`.
fn each_waiting_stack(vm: &Vm, f: &mut dyn FnMut(usize, usize)) {
    each_waiting_fiber(vm, &mut |state| f(state.native_low, state.native_base));
}

/// Passes all fibers that do not run to `f`. Those in which nothing is suspended, as they have not begun or have ended,
/// are not among them.
fn each_waiting_fiber(vm: &Vm, f: &mut dyn FnMut(&FiberState)) {
    let mut look = |state: &FiberState| {
        if state.native_low != 0 {
            f(state);
        }
    };
    // SAFETY: states in the list are alive, and so are contexts and their root fibers; all are used under the global
    // lock.
    unsafe {
        vm.stacks.started.iter().for_each(|state| look(&**state));
        for cx in &vm.contexts {
            native::get::<FiberState>(&(**cx).root_fiber).into_iter().for_each(&mut look);
        }
    }
}
