//! What the collector starts from: VM stacks, contexts, tables.

use abi::Value;
use heap::Marker;
use object::native::Visit;

use crate::{Cx, Vm};

/// Visits every root of the VM. Registered with the heap at start.
pub fn trace_roots(vm: *mut (), marker: &mut Marker) {
    // SAFETY: registered by `boot::start` with the VM, which lives as long as the heap; nothing else touches it during a collection.
    let vm = unsafe { &mut *vm.cast::<Vm>() };
    marker.visit(&mut vm.main_object);
    marker.visit(&mut vm.top_cref);
    marker.visit(&mut vm.trace_points);
    vm.globals.trace(marker);
    for (_, value) in &mut vm.roots.values {
        marker.visit(&mut value.0);
    }
    for value in vm.at_exit.iter_mut().chain(vm.error_classes.iter_mut()) {
        marker.visit(&mut value.0);
    }
    for cx in vm.contexts.clone() {
        // SAFETY: contexts are registered while their threads live.
        unsafe { trace_context(&mut *cx, marker) };
    }
    if let Some(cx) = vm.contexts.first() {
        // SAFETY: every context shares the one world.
        let world = unsafe { &mut *(**cx).world_pointer() };
        world.classes.trace(marker);
        world.shapes.trace(marker);
        world.symbols.trace(marker);
        world.fields.trace(marker);
    }
}

fn trace_context(cx: &mut Cx, marker: &mut Marker) {
    cx.unwinding.trace(marker);
    cx.mem().trace_pending(marker);
    for value in [
        &mut cx.error_info, &mut cx.thread, &mut cx.fiber, &mut cx.root_fiber, &mut cx.next_fiber,
        &mut cx.recursion_guard, &mut cx.open_calls, &mut cx.thread_special,
    ] {
        marker.visit(value);
    }
    if cx.native_low != 0 {
        // SAFETY: the thread waits for the global lock, its stack from `native_low` up stays as it is.
        unsafe { marker.conservative(cx.native_low as *const u8, cx.current_native_base() as *const u8) };
    }
    trace_stack(cx.stack.low, cx.frame, cx.stack.high, marker);
}

/// A VM stack whose top frame is `frame`. Suspended fibers' stacks are traced through their objects.
pub fn trace_stack(low: *mut Value, frame: *mut abi::Frame, high: *mut Value, marker: &mut Marker) {
    if frame.is_null() {
        return;
    }
    // SAFETY: between `low` and the top frame's registers there are only values; records lie between the top frame and `high`.
    unsafe {
        let end = (*frame).scope.slots.add((*frame).registers as usize);
        marker.slots(low, end.offset_from(low) as usize);
        let mut at = frame;
        while (at as usize) < high as usize {
            let f = &mut *at;
            let own = [&mut f.scope.cref, &mut f.scope.entry, &mut f.scope.block.0, &mut f.scope.special];
            for value in own.into_iter().chain([&mut f.scope.code, &mut f.scope.environment, &mut f.block_code]) {
                marker.visit(value);
            }
            // A block that runs for a Proc which nobody else holds: its scope lies inside an environment.
            marker.maybe(f.scope.outer as usize);
            at = at.add(1);
        }
    }
}
