//! The slow path of allocation: the next free run of the cursor's block, the next block, a step of the collector.

use crate::buffer::OutOfMemory;
use crate::heap::{Phase, State};
use crate::layout::{ARENA_BLOCKS, Block, Kind, Table};
use crate::lists::Space;
use crate::mutator::{Cursor, Mutator, Run};
use crate::request::{Cause, Request};
use crate::{bits, classes};

/// The number of allocated bytes between two steps of the collector.
pub(crate) const STEP_BYTES: usize = 64 * 1024;

impl Mutator {
    /// A cell for a cursor whose run is used up: usually from the next run of the same block.
    #[inline(never)]
    pub(crate) fn take_slowly(&mut self, space: usize) -> Result<*mut u64, OutOfMemory> {
        let size = classes::SIZES[space % classes::COUNT] as usize;
        let has_run = if self.attention {
            self.state().is_only_sampled() && self.next_sampled_run(space, size)
        } else {
            self.next_run(space, size, usize::MAX)
        };
        if !has_run {
            self.refill(space, size)?;
        }
        let cursor = &mut self.cursors[space];
        let cell = cursor.next;
        cursor.next += size;
        if self.state().sampling.interval > 0 {
            self.sample(space, cell);
        }
        Ok(cell as *mut u64)
    }

    /// Takes the next run of the block, ending before the next cell to be sampled. Returns `false` if the first cell of
    /// the run is to be sampled.
    fn next_sampled_run(&mut self, space: usize, size: usize) -> bool {
        let most = self.run_limit(space);
        most > 1 && self.next_run(space, size, most)
    }

    /// Decides on collections: at each new block, and at each allocation under stress or while a collection is due.
    #[inline(never)]
    fn refill(&mut self, space: usize, size: usize) -> Result<(), OutOfMemory> {
        assert!(self.attached, "a mutator must be attached before it allocates");
        let length = self.run_limit(space);
        if length == 1 && self.cursors[space].next != 0 {
            // The single cell of the run was taken; the cells after it are still free.
            self.retire_run(space);
        }
        self.clear_dead_stack();
        if self.state().must_collect() || self.state().stress_is_due() {
            self.collect_for_allocation();
        }
        self.attention = self.state().needs_attention();
        self.resume_run(space);
        if self.next_run(space, size, length) { Ok(()) } else { self.take_block(space, size, length) }
    }

    /// Points the cursor to the next free run of its block, no more than `most` cells of it.
    #[inline(always)]
    fn next_run(&mut self, space: usize, size: usize, most: usize) -> bool {
        let run = &mut self.runs[space];
        if run.block.is_null() || run.suspended {
            return false;
        }
        // SAFETY: a run's block is described, and its bits are words of mapped tables.
        unsafe {
            let block = &*run.block;
            let (marks, cells) = (block.bits(self.marks), block.cells as usize);
            let from = bits::next_clear(marks, run.scan as usize, cells);
            if from == cells {
                return false;
            }
            let end = bits::next_set(marks, from, cells.min(from.saturating_add(most)));
            run.scan = end as u16;
            let start = block.start();
            self.cursors[space] = Cursor { next: start + from * size, end: start + end * size };
        }
        true
    }

    /// Makes the tables and counters exact for a cursor: cells that it has not taken are not young. It stays in its
    /// block.
    pub(crate) fn retire_run(&mut self, space: usize) {
        let run = &mut self.runs[space];
        if run.block.is_null() || run.suspended {
            return;
        }
        // SAFETY: a run's block is described.
        let block = unsafe { &*run.block };
        let size = block.cell_size as usize;
        let cursor = std::mem::replace(&mut self.cursors[space], Cursor { next: 0, end: 0 });
        let mut scan = run.scan as usize;
        if cursor.next != 0 {
            scan = (((cursor.next - block.start()) as u64 * block.reciprocal) >> 32) as usize;
        }
        // SAFETY: the block's own words; `scan` is at most its count of cells.
        let taken = unsafe {
            bits::clear_range(block.bits(Table::YOUNG), scan, block.cells as usize);
            bits::count(block.bits(Table::YOUNG), block.words()) - run.counted as usize
        };
        let spanned = (scan - run.spanned as usize) * size;
        run.spanned = scan as u16;
        run.scan = scan as u16;
        run.counted += taken as u16;
        run.suspended = true;
        let state = self.state();
        state.spaces[space].allocated += taken as u64;
        state.spaces[space].young += taken as u64;
        state.young_bytes += taken * size;
        state.young_span += spanned;
        state.debt += taken * size;
        self.allocated_bytes += (taken * size) as u64;
        if block.kind == Kind::Objects {
            self.allocated_objects += taken as u64;
        }
    }

    /// The number of objects that cursors have taken since `retire_run` last counted them.
    pub(crate) fn uncounted_objects(&self) -> u64 {
        let mut objects = 0;
        for (run, cursor) in self.runs.iter().zip(&self.cursors).take(classes::COUNT) {
            if run.block.is_null() || run.suspended {
                continue;
            }
            // SAFETY: a run's block is described.
            let block = unsafe { &*run.block };
            let scan = match cursor.next {
                0 => run.scan as usize,
                next => (((next - block.start()) as u64 * block.reciprocal) >> 32) as usize,
            };
            // SAFETY: the block's own words; `scan` is at most its count of cells.
            objects += unsafe { bits::count_below(block.bits(Table::YOUNG), scan) } as u64 - run.counted as u64;
        }
        objects
    }

    /// Marks all free cells of the block from the cursor on as young; `retire_run` clears those that were not taken.
    fn resume_run(&mut self, space: usize) {
        let run = &mut self.runs[space];
        if run.block.is_null() || !run.suspended {
            return;
        }
        run.suspended = false;
        // SAFETY: a run's block is described, and its bits are words of mapped tables.
        unsafe {
            let block = &*run.block;
            bits::set_where_clear(
                block.bits(Table::YOUNG),
                block.bits(self.marks),
                run.scan as usize,
                block.cells as usize,
            );
        }
    }

    /// Moves the cursor to another block. Collects in an emergency.
    fn take_block(&mut self, space: usize, size: usize, length: usize) -> Result<(), OutOfMemory> {
        while let Some(run) = self.state().abandoned_run(space) {
            self.retire_run(space);
            self.runs[space] = run;
            self.resume_run(space);
            if self.next_run(space, size, length) {
                return Ok(());
            }
        }
        for attempt in 0..2 {
            while let Some(block) = self.state().block_for(space) {
                self.retire_run(space);
                self.runs[space] = Run { block, ..Run::NONE };
                self.resume_run(space);
                if self.next_run(space, size, length) {
                    return Ok(());
                }
            }
            if attempt == 0 {
                self.collect_now(Request::full(Cause::Exhausted));
            }
        }
        // The reserve stays open until a collection frees enough, because the exception that the program gets is
        // allocated in it.
        self.state().region.reserve_open = true;
        Err(OutOfMemory)
    }
}

impl State {
    /// A run of this space that a mutator has left behind.
    fn abandoned_run(&mut self, space: usize) -> Option<Run> {
        let at = self.abandoned.iter().rposition(|(of, _)| *of == space)?;
        Some(self.abandoned.swap_remove(at).1)
    }

    /// A block with free cells for a cursor of this space: mostly free ones first, then empty ones, other partly free
    /// ones, and new ones. If empty ones came first, each collection would leave a few old cells in more blocks: a
    /// program that keeps little of what it allocates would spread it over tens of megabytes.
    fn block_for(&mut self, space: usize) -> Option<*mut Block> {
        self.pay_debt();
        let block = if let Some(block) = self.mostly_free_block(space) {
            block
        } else if let Some(block) = self.pooled_block(space) {
            block
        } else if let Some(block) = self.spaces[space].partial.pop_front(&self.region) {
            block
        } else if let Some(block) = self.swept_block(space) {
            block
        } else {
            let before = self.region.arenas_end;
            let block = self.region.acquire().or_else(|| {
                self.finish_clearing();
                self.sweep_all();
                self.region.acquire()
            })?;
            if self.region.arenas_end != before {
                self.make_room_for_lists()?;
                self.update_mutators();
            }
            // SAFETY: the region returns blocks with initialized descriptors.
            unsafe { self.format(block, space) }
        };
        // SAFETY: lists and pool hold described blocks only.
        unsafe {
            if !(*block).touched {
                (*block).touched = true;
                self.touched.push((*block).id);
            }
        }
        Some(block)
    }

    fn mostly_free_block(&mut self, space: usize) -> Option<*mut Block> {
        let first = self.spaces[space].partial.front(&self.region)?;
        // SAFETY: lists hold described blocks only.
        if !unsafe { (*first).is_mostly_free(self.current) } {
            return None;
        }
        self.spaces[space].partial.pop_front(&self.region)
    }

    fn pooled_block(&mut self, space: usize) -> Option<*mut Block> {
        if self.region.pool.is_empty() {
            return None;
        }
        let block = self.region.acquire()?;
        // SAFETY: the region returns blocks with initialized descriptors.
        Some(unsafe { self.format(block, space) })
    }

    /// # Safety
    /// The block is unused, and its descriptor initialized.
    unsafe fn format(&mut self, block: *mut Block, space: usize) -> *mut Block {
        let kind = [Kind::Objects, Kind::Values, Kind::Bytes][space / classes::COUNT];
        // SAFETY: by this function's contract.
        unsafe { (*block).format(kind, space % classes::COUNT) };
        let Space { blocks, total_blocks, .. } = &mut self.spaces[space];
        *blocks += 1;
        *total_blocks += 1;
        block
    }

    /// The list of touched blocks must not grow where an allocation failure cannot be reported.
    fn make_room_for_lists(&mut self) -> Option<()> {
        let blocks = self.region.arenas() * ARENA_BLOCKS;
        self.touched.try_reserve(blocks.saturating_sub(self.touched.len())).ok()
    }

    /// Sweeps blocks of the space until one has enough free cells.
    fn swept_block(&mut self, space: usize) -> Option<*mut Block> {
        if self.phase == Phase::Clearing && !self.clear_step(crate::sweep::CLEAR_BUDGET) {
            return None;
        }
        while let Some(block) = self.spaces[space].unswept.pop_front(&self.region) {
            // SAFETY: lists hold described blocks only.
            self.sweep_block(unsafe { &mut *block });
            if let Some(block) = self.spaces[space].partial.pop_front(&self.region) {
                return Some(block);
            }
            if let Some(block) = self.pooled_block(space) {
                return Some(block);
            }
        }
        None
    }
}
