//! The slow path of allocation: the next free run of the cursor's block, the next block, a step of the collector.

use crate::buffer::OutOfMemory;
use crate::heap::{Phase, State};
use crate::layout::{ARENA_BLOCKS, Block, Kind, Table};
use crate::lists::Space;
use crate::mutator::{Cursor, Mutator, Run};
use crate::request::{Cause, Request};
use crate::{bits, classes};

/// Bytes of allocation between two steps of the collector.
pub(crate) const STEP_BYTES: usize = 64 * 1024;

impl Mutator {
    /// A cell for a cursor whose run is used up. Collects where a limit was reached.
    #[inline(never)]
    pub(crate) fn take_slowly(&mut self, space: usize) -> Result<*mut u64, OutOfMemory> {
        assert!(self.attached, "a mutator must be attached before it allocates");
        let size = classes::SIZES[space % classes::COUNT] as usize;
        let run_bytes = self.cursors[space].next - self.runs[space].start;
        if self.state().must_collect_at(run_bytes) || self.state().stress_is_due() {
            self.collect_for_allocation();
        }
        let end = self.runs[space].end;
        if end - self.cursors[space].next >= size {
            // An interrupt had taken the end away.
            self.cursors[space].end = end;
        } else {
            self.retire_run(space);
            if !self.next_run(space, size) {
                self.take_block(space, size)?;
            }
        }
        let cursor = &mut self.cursors[space];
        let cell = cursor.next;
        cursor.next += size;
        Ok(cell as *mut u64)
    }

    /// Counts what was taken of a run and forgets the rest of it; the block stays the cursor's.
    pub(crate) fn retire_run(&mut self, space: usize) {
        let (cursor, run) = (self.cursors[space], self.runs[space]);
        if run.block.is_null() || run.start == 0 {
            return;
        }
        // SAFETY: a run's block is described.
        let block = unsafe { &mut *run.block };
        let taken = cursor.next - run.start;
        let cells = taken / block.cell_size as usize;
        if cursor.next < run.end {
            let from = (cursor.next - block.start()) / block.cell_size as usize;
            let end = (run.end - block.start()) / block.cell_size as usize;
            // SAFETY: both are at most the block's count of cells.
            unsafe { bits::clear_range(block.bits(Table::YOUNG), from, end) };
            block.scan = from as u16;
        }
        let state = self.state();
        state.spaces[space].allocated += cells as u64;
        state.spaces[space].young += cells as u64;
        state.young_bytes += taken;
        state.debt += taken;
        self.allocated_bytes += taken as u64;
        if block.kind == Kind::Objects {
            self.allocated_objects += cells as u64;
        }
        self.cursors[space] = Cursor { next: 0, end: 0 };
        self.runs[space].start = 0;
        self.runs[space].end = 0;
    }

    /// Points the cursor to the next free run of its block.
    fn next_run(&mut self, space: usize, size: usize) -> bool {
        let block = self.runs[space].block;
        if block.is_null() {
            return false;
        }
        // SAFETY: a run's block is described, and its bits are words of mapped tables.
        unsafe {
            let block = &mut *block;
            let (marks, cells) = (block.bits(self.marks), block.cells as usize);
            let from = bits::next_clear(marks, block.scan as usize, cells);
            if from == cells {
                self.runs[space].block = std::ptr::null_mut();
                return false;
            }
            let mut end = bits::next_set(marks, from, cells);
            if self.state().stressed() {
                end = from + 1;
            }
            bits::set_range(block.bits(Table::YOUNG), from, end);
            block.scan = end as u16;
            let (start, stop) = (block.start() + from * size, block.start() + end * size);
            self.cursors[space] = Cursor { next: start, end: stop };
            self.runs[space] = Run { start, end: stop, block };
        }
        true
    }

    /// Gives the cursor another block. Collects in an emergency.
    fn take_block(&mut self, space: usize, size: usize) -> Result<(), OutOfMemory> {
        for attempt in 0..3 {
            while let Some(block) = self.state().block_for(space) {
                self.runs[space].block = block;
                if self.next_run(space, size) {
                    return Ok(());
                }
            }
            match attempt {
                0 => self.collect_now(Request::full(Cause::Exhausted)),
                1 => self.state().region.reserve_open = true,
                _ => {}
            }
        }
        Err(OutOfMemory)
    }
}

impl State {
    /// A block with free cells for a cursor of this space: warm empty ones first, then partly free ones, then new ones.
    fn block_for(&mut self, space: usize) -> Option<*mut Block> {
        self.pay_debt();
        let block = if let Some(block) = self.pooled_block(space) {
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
                self.tell_mutators();
            }
            self.format(block, space)
        };
        // SAFETY: lists and pool hold described blocks only.
        unsafe {
            (*block).scan = 0;
            if !(*block).touched {
                (*block).touched = true;
                self.touched.push((*block).id);
            }
        }
        Some(block)
    }

    fn pooled_block(&mut self, space: usize) -> Option<*mut Block> {
        if self.region.pool.is_empty() {
            return None;
        }
        let block = self.region.acquire()?;
        Some(self.format(block, space))
    }

    fn format(&mut self, block: *mut Block, space: usize) -> *mut Block {
        let kind = [Kind::Objects, Kind::Values, Kind::Bytes][space / classes::COUNT];
        // SAFETY: the region hands out described blocks.
        unsafe { (*block).format(kind, space % classes::COUNT) };
        let Space { blocks, total_blocks, .. } = &mut self.spaces[space];
        *blocks += 1;
        *total_blocks += 1;
        block
    }

    /// The list of touched blocks must never grow where nobody can be told of a failure.
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
