//! VM stacks and the pool that fibers take them from.

use abi::Value;
use heap::{Marker, Purpose, Trace};

use super::{pool::Pool, stack_sizes};
use crate::code::{self, exits::has_inlined, open_frames::OpenFrames};

/// The bounds of a VM stack. Above `high` there is room for one frame, which reads as zeros (see
/// [`OpenFrames::caller`]).
#[derive(Clone, Copy)]
pub struct Stack {
    pub low: *mut Value,
    pub high: *mut Value,
}

impl Stack {
    /// # Safety
    /// The memory at `low` is that large, and reads as zeros.
    unsafe fn new(low: *mut Value, bytes: usize) -> Stack {
        // SAFETY: this function's contract.
        Stack { low, high: unsafe { low.add((bytes - size_of::<abi::Frame>()) / 8) } }
    }
}

/// The maximum number of registers, in words, that inlined bodies have above those of the compiled code's frame.
pub const MOST_INLINED: usize = 256;
/// The maximum number of frames that are pushed for inlined bodies.
pub const MOST_INLINED_FRAMES: usize = 8;
/// The number of bytes at each end that keep their pages when the thread has ended.
const WARM_BYTES: usize = 16 << 10;

/// Pools of stacks, whose address space gets memory only where it is accessed.
#[derive(Default)]
pub struct StackPool {
    fibers: Pool<Stack>,
    /// Main stacks of threads that ended.
    threads: Vec<Stack>,
}

impl StackPool {
    /// A stack of `bytes` bytes; `None` when the system gives no more.
    pub fn map(bytes: usize) -> Option<Stack> {
        let low = host::memory::map(bytes, 4096).ok()?.as_ptr().cast::<Value>();
        // SAFETY: the mapping is `bytes` long.
        Some(unsafe { Stack::new(low, bytes) })
    }

    /// A fiber's stack, a used one if possible.
    pub fn take(&mut self) -> Option<Stack> {
        if let Some(stack) = self.fibers.take() {
            return Some(stack);
        }
        let size = stack_sizes::fiber();
        let batch = stack_sizes::batch(size);
        let all = Self::map(size * batch)?;
        self.fibers.fill((0..batch).map(|i| {
            // SAFETY: the mapping holds that many stacks.
            unsafe { Stack::new(all.low.add(i * size / 8), size) }
        }));
        self.fibers.take()
    }

    /// A thread's main stack, from an ended thread if possible.
    pub fn take_for_thread(&mut self) -> Option<Stack> {
        self.threads.pop().or_else(|| Self::map(stack_sizes::thread()))
    }

    /// Returns a thread's stack. Only its ends, which every thread uses, keep their memory.
    pub fn give_back_of_thread(&mut self, stack: Stack) {
        let middle = stack.low.cast::<u8>().wrapping_add(WARM_BYTES);
        if let Some(middle) = std::ptr::NonNull::new(middle) {
            // SAFETY: the stack is no longer used; it was mapped with this size and reads as zeros again. After a
            // failure it keeps its memory.
            let _ = unsafe { host::memory::decommit(middle, stack_sizes::thread() - 2 * WARM_BYTES) };
        }
        self.threads.push(stack);
    }

    pub fn give_back(&mut self, stack: Stack) {
        self.fibers.give_back(stack, |stack| {
            if let Some(low) = std::ptr::NonNull::new(stack.low.cast()) {
                // SAFETY: nothing uses the stack any more; it was mapped with this size and reads as zeros again. After
                // a failure it keeps its memory.
                let _ = unsafe { host::memory::decommit(low, stack_sizes::fiber()) };
            }
        });
    }
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
        OpenFrames::write_own(frame);
        let end = (*frame).scope.slots.add((*frame).registers as usize);
        let end = if has_inlined() { end_of_inlined(frame, end, high, marker).min(frame.cast()) } else { end };
        // Not all of it is live: a callee's registers start among its caller's temporaries and may end before these do,
        // so that recent collections did not visit the words after them.
        marker.stale_slots(low, end.offset_from(low) as usize);
        let mut at = frame;
        while (at as usize) < high as usize {
            let caller = OpenFrames::caller(at);
            let f = &mut *at;
            let own = [&mut f.scope.cref, &mut f.scope.entry, &mut f.scope.block.0, &mut f.scope.special];
            for value in own.into_iter().chain([&mut f.scope.code, &mut f.scope.environment, &mut f.block_code]) {
                value.trace(marker);
            }
            // A block may run for a Proc that nothing else refers to; its scope is inside an environment, which must
            // stay alive.
            marker.maybe(f.scope.outer as usize);
            at = caller;
        }
    }
}

/// The end of the registers, with those of inlined bodies whose frames are not pushed. `end` is the end of the top
/// frame's own registers.
///
/// # Safety
/// As for [`trace_stack`]; `frame` is not null.
unsafe fn end_of_inlined(frame: *mut abi::Frame, end: *mut Value, high: *mut Value, marker: &Marker) -> *mut Value {
    if marker.purpose() == Purpose::Update {
        // The frames' code may have moved.
        return end.wrapping_add(MOST_INLINED);
    }
    // The frame of the compiled code is the top one, or below frames of bodies inlined in it that were pushed.
    let (mut end, mut at, mut left) = (end, frame, MOST_INLINED_FRAMES + 1);
    while left > 0 && (at as usize) < high as usize {
        // SAFETY: the frames from the top one to `high` are alive.
        let (scope, caller) = unsafe { (&(*at).scope, OpenFrames::caller(at)) };
        if scope.code.is_heap() {
            let reach = code::code(&scope.code).tier.reach();
            end = end.max(scope.slots.wrapping_add(reach as usize));
            left -= 1;
        }
        at = caller;
    }
    end
}
