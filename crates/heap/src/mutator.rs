//! `Mutator`: one thread's view of the heap, and the fast path of allocation.

use std::ptr::NonNull;

use abi::{Header, Value};

use crate::buffer::OutOfMemory;
use crate::classes::{SIZES, class_of};
use crate::heap::{Heap, State};
use crate::layout::{Block, Kind, SPACES, Table, space_index};

/// The free run that a thread allocates from in one space.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Cursor {
    pub next: usize,
    pub end: usize,
}

/// The state of a run besides its cursor.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The block that the cursor is in. All of its free cells from `scan` on, and the cursor's own, have their young
    /// bits set.
    pub block: *mut Block,
    /// The first cell after the cursor's run.
    pub scan: u16,
    /// Cells of the block that were counted as allocated.
    pub counted: u16,
    /// Cells that the cursor has passed and that were counted as part of the young space's extent.
    pub spanned: u16,
    /// The young bits are exact: cells that were not taken are not young. The cursor is empty.
    pub suspended: bool,
}

impl Run {
    pub const NONE: Run = Run { block: std::ptr::null_mut(), scan: 0, counted: 0, spanned: 0, suspended: true };
}

/// A thread's cursors and counters. A function that receives it may allocate and collect, but not run Ruby.
///
/// Threads take turns: callers hold the lock that excludes other threads.
#[repr(C)]
pub struct Mutator {
    pub(crate) cursors: [Cursor; SPACES],
    /// The current mark table.
    pub(crate) marks: Table,
    /// The table that a full marking is building, if one is under way.
    pub(crate) building: Table,
    pub(crate) arenas_end: usize,
    pub(crate) state: NonNull<State>,
    pub(crate) runs: [Run; SPACES],
    /// The highest address of the native stack of the thread that uses this mutator.
    pub(crate) stack_base: *const u8,
    /// The lowest address of that stack which may hold words of frames that have ended; see `dead_stack`.
    pub(crate) deepest_stack: usize,
    /// Every slow path must check whether a collection is due.
    pub(crate) attention: bool,
    pub(crate) attached: bool,
    /// The number of cells of each object size to skip before the next sample; see `sampling`.
    pub(crate) until_sample: [u32; SPACES],
    pub(crate) allocated_objects: u64,
    pub(crate) allocated_bytes: u64,
    pub(crate) collection_nanoseconds: u64,
}

impl Mutator {
    /// A view of the heap that is not registered yet: `attach` it at its final address.
    pub fn new(heap: &Heap) -> Mutator {
        Mutator {
            cursors: [Cursor { next: 0, end: 0 }; SPACES],
            marks: Table::NONE,
            building: Table::NONE,
            arenas_end: 0,
            state: heap.state,
            runs: [Run::NONE; SPACES],
            stack_base: std::ptr::null(),
            deepest_stack: usize::MAX,
            attention: false,
            attached: false,
            until_sample: [0; SPACES],
            allocated_objects: 0,
            allocated_bytes: 0,
            collection_nanoseconds: 0,
        }
    }

    /// Registers this view with the heap. `stack_base` is the highest address of its user's native stack; a collection
    /// scans everything between it and the stack pointer.
    ///
    /// # Safety
    /// The mutator stays at its address until `detach` or its drop, and the heap outlives it.
    pub unsafe fn attach(&mut self, stack_base: *const u8) {
        self.stack_base = stack_base;
        if !self.attached {
            self.attached = true;
            let pointer: *mut Mutator = self;
            self.state().attach(pointer);
        }
    }

    /// Returns the runs of a thread that ends.
    pub fn detach(&mut self) {
        if self.attached {
            self.attached = false;
            let pointer: *mut Mutator = self;
            // SAFETY: it was attached, and is alive.
            unsafe { self.state().detach(pointer) };
        }
    }

    /// Switches to another native stack (a fiber's).
    ///
    /// # Safety
    /// As for `attach`; from now on the roots callback must visit the previous stack.
    pub unsafe fn set_stack_base(&mut self, stack_base: *const u8) {
        self.stack_base = stack_base;
        self.deepest_stack = usize::MAX;
    }

    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn state<'a>(&self) -> &'a mut State {
        // SAFETY: the heap outlives its mutators, and threads take turns. The crate's functions drop the reference
        // before they call what may create one.
        unsafe { &mut *self.state.as_ptr() }
    }

    /// A cell of at least `size` bytes (at most `MAX_CELL`) that begins with `header`. Its other words are
    /// uninitialized: the caller fills them (up to the end of the cell for types of all words, see
    /// [`rounded_size`](crate::rounded_size)) before anything else is allocated.
    ///
    /// May collect. On exhaustion it unwinds with `OutOfMemory`.
    #[inline(always)]
    pub fn allocate(&mut self, size: usize, header: Header) -> Value {
        let class = class_of(size);
        let cell = self.take(space_index(Kind::Objects, class), SIZES[class] as usize);
        // SAFETY: the cell is ours and at least two words long.
        unsafe { *cell = header.0 };
        Value::from_cell(cell)
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, space: usize, size: usize) -> *mut u64 {
        let cursor = &mut self.cursors[space];
        let cell = cursor.next;
        if cursor.end - cell >= size {
            cursor.next = cell + size;
            return cell as *mut u64;
        }
        self.take_slowly_or_unwind(space)
    }

    #[inline(always)]
    pub(crate) fn try_take(&mut self, space: usize, size: usize) -> Result<*mut u64, OutOfMemory> {
        let cursor = &mut self.cursors[space];
        let cell = cursor.next;
        if cursor.end - cell >= size {
            cursor.next = cell + size;
            return Ok(cell as *mut u64);
        }
        self.take_slowly(space)
    }

    #[cold]
    #[inline(never)]
    fn take_slowly_or_unwind(&mut self, space: usize) -> *mut u64 {
        match self.take_slowly(space) {
            Ok(cell) => cell,
            Err(error) => std::panic::resume_unwind(Box::new(error)),
        }
    }

    /// Accounts for native memory held by a new object: like a large buffer, it brings the next collection closer.
    pub fn holds_outside(&mut self, bytes: usize) {
        let state = self.state();
        state.young_large_bytes += bytes;
        if state.young_large_bytes >= state.large_limit && !state.due {
            state.due = true;
            self.interrupt();
        }
    }

    /// Accounts for native memory of a new object that is as short-lived as its cell, and should stay in the
    /// processor's cache like the young space.
    #[inline]
    pub fn extends_young(&mut self, bytes: usize) {
        self.state().young_span += bytes;
    }

    /// Makes the next allocation in every space take the slow path, which decides on collections.
    pub(crate) fn interrupt(&mut self) {
        self.attention = true;
        for space in 0..SPACES {
            self.retire_run(space);
        }
    }
}

impl Drop for Mutator {
    fn drop(&mut self) {
        self.detach();
    }
}
