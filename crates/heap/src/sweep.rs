//! Sweeping: classification of blocks. The mark bits are the free list, so nothing else is needed.

use crate::bits;
use crate::heap::State;
use crate::layout::{Block, Kind, SPACES, Table};

/// Entries of side lists processed per step after a full collection.
pub(crate) const CLEAR_BUDGET: usize = 16 * 1024;
/// Blocks examined per step.
pub(crate) const SWEEP_BLOCKS: usize = 512;
/// Blocks returned per step.
const GIVE_BACK_BLOCKS: usize = 8;

impl State {
    /// Adds a block to the list for its number of free cells: the pool, the partly free ones or the full ones.
    pub fn sweep_block(&mut self, block: &mut Block) {
        let live = block.live[self.current];
        let space = block.space();
        if live == 0 {
            self.spaces[space].blocks -= 1;
            self.region.release(block);
        } else if block.is_mostly_free(self.current) {
            self.spaces[space].partial.push_front(block);
        } else if (block.cells - live) as usize * 4 >= block.cells as usize {
            self.spaces[space].partial.push_back(&self.region, block);
        } else {
            self.spaces[space].full.push_front(block);
        }
    }

    /// After a minor collection: returns the blocks of cursors to their lists, the most recently used ones first.
    pub fn sweep_touched(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        for id in &touched {
            // SAFETY: touched blocks are described.
            let block = unsafe { &mut *self.region.block(*id) };
            block.touched = false;
            // SAFETY: the block's own words.
            unsafe { bits::zero_words(block.bits(Table::YOUNG), block.words()) };
            self.sweep_block(block);
        }
        self.touched = touched;
        self.touched.clear();
    }

    /// Before the swap of a full collection: adds the touched blocks to the others, to be swept with them.
    pub fn clear_young_bits(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        for id in &touched {
            // SAFETY: touched blocks are described.
            let block = unsafe { &mut *self.region.block(*id) };
            block.touched = false;
            // SAFETY: the block's own words.
            unsafe { bits::zero_words(block.bits(Table::YOUNG), block.words()) };
            let space = block.space();
            self.spaces[space].unswept.push_front(block);
        }
        self.touched = touched;
        self.touched.clear();
    }

    /// Sweeps up to `limit` blocks; true if none are left.
    pub fn sweep_some(&mut self, limit: usize) -> bool {
        if self.all_swept {
            return true;
        }
        let mut left = limit;
        for space in 0..SPACES {
            while !self.spaces[space].unswept.is_empty() {
                if left == 0 {
                    return false;
                }
                left -= 1;
                let Some(block) = self.spaces[space].unswept.pop_front(&self.region) else { break };
                // SAFETY: lists hold described blocks only.
                self.sweep_block(unsafe { &mut *block });
            }
        }
        self.all_swept = true;
        true
    }

    pub fn sweep_all(&mut self) {
        while !self.sweep_some(usize::MAX) {}
    }

    /// The number of empty blocks that always keep their memory: those of the young space and a share of the live
    /// bytes.
    fn pool_target(&self) -> usize {
        let bytes = self.young_limit + self.options.tuning.empty_bytes_to_keep(self.old_bytes);
        bytes / crate::layout::BLOCK_BYTES
    }

    /// Returns some of the others, unless many were needed again soon: a heap whose objects become old and die would
    /// return the same blocks again and again, and much of its time would be the kernel's.
    pub fn give_back_some(&mut self) {
        let keep = self.pool_target();
        if self.region.pool.len() > keep && self.region.waste.allows_more(host::clock::process_cpu_nanoseconds()) {
            self.region.decommit(keep, GIVE_BACK_BLOCKS);
        }
    }

    /// Returns to the system the memory that the next minor collections do not need.
    pub fn give_back(&mut self) {
        let keep = self.pool_target();
        self.region.decommit(keep, usize::MAX);
        self.region.requested = self.region.cold.len();
        self.large.extents.give_back(self.counters.collections(), 1);
        self.stack.trim();
        self.grey.trim();
    }

    /// Returns all unused memory to the system.
    pub fn release_all(&mut self) {
        self.finish_clearing();
        self.sweep_all();
        while !self.clear_other_table(usize::MAX) {}
        self.region.decommit(0, usize::MAX);
        self.region.requested = self.region.cold.len();
        self.large.extents.give_back(u64::MAX, 0);
        self.stack.trim();
        self.grey.trim();
    }

    /// Calls the hooks with every young object that this collection did not mark, and with every one that it did.
    pub fn report_young(&mut self) {
        // After a full collection in one stop the survivors are in the table that was just built; during an incremental
        // one, in both.
        let table = if self.phase == crate::heap::Phase::Marking { self.other_table() } else { self.current_table() };
        for id in &self.touched {
            // SAFETY: touched blocks are described.
            let block = unsafe { &*self.region.block(*id) };
            if let Some(freed) = self.hooks.freed {
                each_of(block, Table::YOUNG, table, |was, is| was & !is, self.hooks.data, freed);
            }
            if let Some(promoted) = self.hooks.promoted {
                each_of(block, Table::YOUNG, table, |was, is| was & is, self.hooks.data, promoted);
            }
        }
    }

    /// Calls the hook with every old object that the full collection did not mark.
    pub fn report_freed_old(&mut self) {
        let Some(freed) = self.hooks.freed else { return };
        let (old, new) = (self.current_table(), self.other_table());
        self.region.each_block(|block| each_of(block, old, new, |was, is| was & !is, self.hooks.data, freed));
    }
}

/// Calls `f` with the objects of a block for whose bits in two tables `wanted` is true.
fn each_of(
    block: &Block,
    first: Table,
    second: Table,
    wanted: fn(u64, u64) -> u64,
    data: *mut (),
    f: unsafe fn(*mut (), abi::Value),
) {
    if block.kind != Kind::Objects {
        return;
    }
    for word in 0..block.words() {
        // SAFETY: the block's own words.
        let mut left = unsafe { wanted(*block.bits(first).add(word), *block.bits(second).add(word)) };
        while left != 0 {
            let index = word * 64 + left.trailing_zeros() as usize;
            left &= left - 1;
            // SAFETY: `set_hooks` took both.
            unsafe { f(data, abi::Value(block.cell(index) as u64)) };
        }
    }
}
