//! The native stacks of fibers.

use std::ptr::NonNull;

use corosensei::stack::{Stack, StackPointer};

use super::{pool::Pool, stack_sizes};

/// The address space that stays free for other things when no more stacks can be mapped.
const SPARE: usize = 128 << 20;

/// A stack whose lowest page is a guard page. It belongs to a pool, returns to it and is never unmapped. Only accessed
/// pages use memory.
pub struct NativeStack {
    low: NonNull<u8>,
}

// SAFETY: only this stack uses the range, which is mapped for the life of the process and aligned to pages; the guard
// page is below `limit`.
unsafe impl Stack for NativeStack {
    #[inline]
    fn base(&self) -> StackPointer {
        self.low.addr().saturating_add(stack_sizes::native_fiber())
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.low.addr()
    }
}

/// Stacks that are not in use.
#[derive(Default)]
pub struct NativeStackPool {
    free: Pool<NativeStack>,
}

impl NativeStackPool {
    /// A stack, a previously used one if possible; `None` if the system has no more memory.
    pub fn take(&mut self) -> Option<NativeStack> {
        if let Some(stack) = self.free.take() {
            return Some(stack);
        }
        let size = stack_sizes::native_fiber();
        let batch = stack_sizes::batch(size);
        let all = host::memory::map(size * batch + SPARE, host::memory::page_size()).ok()?;
        // SAFETY: nothing uses the end of the mapping. After a failure it stays mapped, which costs addresses only.
        let _ = unsafe { host::memory::unmap(all.add(size * batch), SPARE) };
        // SAFETY: the mapping holds that many stacks.
        let stacks = (0..batch).map(|i| unsafe { all.add(i * size) });
        // If the system allows no more guard pages, the rest of a batch stays unused, because every stack must have
        // one. SAFETY: the page is part of the mapping, and nothing uses it.
        let guarded = stacks.take_while(|low| unsafe { host::memory::guard(*low, host::memory::page_size()) }.is_ok());
        self.free.fill(guarded.map(|low| NativeStack { low }));
        self.free.take()
    }

    pub fn give_back(&mut self, stack: NativeStack) {
        self.free.give_back(stack, |stack| {
            let guard = host::memory::page_size();
            // SAFETY: nothing uses the stack any more, and the range above its guard page was mapped with it. After a
            // failure it keeps its memory.
            let _ = unsafe { host::memory::decommit(stack.low.add(guard), stack_sizes::native_fiber() - guard) };
        });
    }
}
