//! The native stacks of fibers.

use std::ptr::NonNull;

use corosensei::stack::{Stack, StackPointer};

use crate::frame::Pool;

/// Native stack of a fiber, in bytes of address space with its guard page; only what is touched takes memory.
const SIZE: usize = 512 << 10;
/// How many are mapped at once: a process may have only so many mappings.
const BATCH: usize = 64;

/// A stack whose lowest page cannot be touched. Its maker is a pool, which gets it back and never unmaps it.
pub struct NativeStack {
    low: NonNull<u8>,
}

// SAFETY: the range is the stack's alone, mapped for the life of the process and aligned to pages; below `limit` lies the guard page.
unsafe impl Stack for NativeStack {
    #[inline]
    fn base(&self) -> StackPointer {
        self.low.addr().saturating_add(SIZE)
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.low.addr()
    }
}

/// Stacks that no fiber has.
#[derive(Default)]
pub struct NativeStackPool {
    free: Pool<NativeStack>,
}

impl NativeStackPool {
    /// A stack, a used one where there is one; `None` when the system gives no more.
    pub fn take(&mut self) -> Option<NativeStack> {
        if let Some(stack) = self.free.take() {
            return Some(stack);
        }
        let all = host::memory::map(SIZE * BATCH, host::memory::page_size()).ok()?;
        // SAFETY: the mapping holds BATCH stacks.
        let stacks = (0..BATCH).map(|i| unsafe { all.add(i * SIZE) });
        // What is left of a batch when the system sets no more guards stays unused: no stack goes without.
        // SAFETY: the page is part of the mapping, and nothing uses it.
        let guarded = stacks.take_while(|low| unsafe { host::memory::guard(*low, host::memory::page_size()) }.is_ok());
        self.free.fill(guarded.map(|low| NativeStack { low }));
        self.free.take()
    }

    pub fn give_back(&mut self, stack: NativeStack) {
        self.free.give_back(stack, |stack| {
            let guard = host::memory::page_size();
            // SAFETY: nobody uses the stack any more, and the range above its guard page was mapped with it. Where that fails it stays warm.
            let _ = unsafe { host::memory::decommit(stack.low.add(guard), SIZE - guard) };
        });
    }
}
