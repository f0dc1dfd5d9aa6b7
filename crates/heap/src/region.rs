//! The region of address space that contains the heap: arenas grow from its bottom, large objects from its top.

use std::ptr::NonNull;

use host::memory;

use crate::bits;
use crate::layout::{ARENA_BLOCKS, ARENA_BYTES, BLOCK_BYTES, Block, BlockId, FIRST_BLOCK, Kind, Table, block_at};
use crate::waste::Waste;

/// Blocks kept in reserve, so that the exception for exhaustion can still be created: each size of its parts may need
/// a block.
const RESERVE_BLOCKS: usize = 32;

/// Arenas up to this number get their pages one by one.
const POPULATE_FROM: usize = 4;

pub struct Region {
    pub base: usize,
    pub bytes: usize,
    /// The end of the last committed arena.
    pub arenas_end: usize,
    /// The first block of the last arena that was never used.
    fresh: usize,
    /// The lowest address that large objects have taken.
    pub large_start: usize,
    /// Empty blocks with memory, the most recently used last.
    pub pool: Vec<BlockId>,
    /// Empty blocks whose memory was returned.
    pub cold: Vec<BlockId>,
    /// So many of them were returned on request: needing them again is not counted as waste.
    pub requested: usize,
    pub waste: Waste,
    /// The reserve may be used, because an allocation failed and no collection has freed enough since then.
    pub reserve_open: bool,
    /// Another part of the process may have got a piece of the address space.
    pub lost_part: bool,
    pub total_blocks: u64,
    pub freed_blocks: u64,
}

impl Region {
    /// Reserves up to `wanted` bytes of address space, less if the system or `RLIMIT_AS` allows less.
    pub fn new(wanted: usize) -> host::Result<Region> {
        let mut bytes = wanted;
        if let Some(limit) = memory::address_space_limit() {
            // The rest is for native stacks, malloc and the collector's own tables.
            let left = limit.saturating_sub(memory::mapped_bytes());
            bytes = bytes.min(left / 8 * 5);
        }
        bytes = (bytes & !(ARENA_BYTES - 1)).max(4 * ARENA_BYTES);
        let base = loop {
            match memory::reserve(bytes, ARENA_BYTES) {
                Ok(base) => break base,
                Err(error) if bytes <= 4 * ARENA_BYTES => return Err(error),
                Err(_) => bytes = ((bytes / 2) & !(ARENA_BYTES - 1)).max(4 * ARENA_BYTES),
            }
        };
        let base = base.addr().get();
        Ok(Region {
            base,
            bytes,
            arenas_end: base,
            fresh: base,
            large_start: base + bytes,
            pool: Vec::new(),
            cold: Vec::new(),
            requested: 0,
            waste: Waste::default(),
            reserve_open: false,
            lost_part: false,
            total_blocks: 0,
            freed_blocks: 0,
        })
    }

    #[inline(always)]
    pub fn end(&self) -> usize {
        self.base + self.bytes
    }

    #[inline(always)]
    pub fn block_id(&self, address: usize) -> BlockId {
        BlockId(((address - self.base) / BLOCK_BYTES) as u32)
    }

    #[inline(always)]
    pub fn block(&self, id: BlockId) -> *mut Block {
        block_at(self.base + id.0 as usize * BLOCK_BYTES)
    }

    pub fn arenas(&self) -> usize {
        (self.arenas_end - self.base) / ARENA_BYTES
    }

    pub fn arena(&self, number: usize) -> usize {
        self.base + number * ARENA_BYTES
    }

    /// Calls `f` with every block of every arena that was ever used.
    pub fn each_block(&self, mut f: impl FnMut(&mut Block)) {
        for number in 0..self.arenas() {
            self.each_block_of(number, &mut f);
        }
    }

    pub fn each_block_of(&self, arena: usize, mut f: impl FnMut(&mut Block)) {
        let start = self.arena(arena);
        for number in FIRST_BLOCK..ARENA_BLOCKS {
            let address = start + number * BLOCK_BYTES;
            if address >= self.fresh && start + ARENA_BYTES == self.arenas_end {
                return;
            }
            // SAFETY: the arena is committed, so the descriptions of its blocks are mapped, and blocks below `fresh`
            // were initialized.
            f(unsafe { &mut *block_at(address) });
        }
    }

    fn fresh_blocks(&self) -> usize {
        (self.arenas_end - self.fresh) / BLOCK_BYTES
    }

    /// The number of empty blocks that are still available.
    pub fn available_blocks(&self) -> usize {
        let arenas_to_come = (self.large_start - self.arenas_end) / ARENA_BYTES;
        self.pool.len() + self.cold.len() + self.fresh_blocks() + arenas_to_come * (ARENA_BLOCKS - FIRST_BLOCK)
    }

    pub fn is_low(&self) -> bool {
        self.available_blocks() <= 2 * RESERVE_BLOCKS
    }

    /// An empty block, one with memory if possible. Its bits are clear in every table.
    pub fn acquire(&mut self) -> Option<*mut Block> {
        if !self.reserve_open && self.available_blocks() <= RESERVE_BLOCKS {
            return None;
        }
        if let Some(id) = self.pool.pop() {
            return Some(self.block(id));
        }
        if let Some(id) = self.cold.pop() {
            match self.requested.checked_sub(1) {
                Some(left) => self.requested = left,
                None => self.waste.note(1),
            }
            self.populate(self.base + id.0 as usize * BLOCK_BYTES);
            return Some(self.block(id));
        }
        if self.fresh == self.arenas_end {
            self.add_arena()?;
        }
        let block = block_at(self.fresh);
        // SAFETY: `fresh` lies in the last arena, which is committed.
        unsafe {
            (*block).id = self.block_id(self.fresh);
            (*block).kind = Kind::Free;
        }
        self.populate(self.fresh);
        self.fresh += BLOCK_BYTES;
        self.total_blocks += 1;
        Some(block)
    }

    /// Commits memory for a whole block at once, unless the heap is so small that a partly used block would matter.
    /// Measured: 1.2 microseconds per page instead of 1.6 to 3.
    fn populate(&self, block: usize) {
        if self.arenas() > POPULATE_FROM
            && let Some(start) = NonNull::new(block as *mut u8)
        {
            // SAFETY: the block is in a committed arena. On failure, pages are committed when they are accessed.
            let _ = unsafe { memory::populate(start, BLOCK_BYTES) };
        }
    }

    fn add_arena(&mut self) -> Option<()> {
        if self.large_start - self.arenas_end < ARENA_BYTES {
            return None;
        }
        // The lists must never grow while a collection runs.
        let blocks = (self.arenas() + 1) * ARENA_BLOCKS;
        self.pool.try_reserve(blocks - self.pool.len()).ok()?;
        self.cold.try_reserve(blocks - self.cold.len()).ok()?;
        let start = NonNull::new(self.arenas_end as *mut u8)?;
        // SAFETY: the range lies in the reserved region, between the arenas and the large objects.
        unsafe { memory::commit(start, ARENA_BYTES).ok()? };
        self.fresh = self.arenas_end + FIRST_BLOCK * BLOCK_BYTES;
        self.arenas_end += ARENA_BYTES;
        Some(())
    }

    /// Returns the address space of empty arenas at the end, for large objects. None of their blocks may be in a list
    /// of a space.
    pub fn shrink(&mut self) -> bool {
        let before = self.arenas_end;
        while self.arenas() > 0 {
            let last = self.arenas() - 1;
            let mut empty = true;
            self.each_block_of(last, |block| empty &= matches!(block.kind, Kind::Free | Kind::Cold));
            if !empty {
                break;
            }
            let start = self.arena(last);
            let first = self.block_id(start).0;
            self.pool.retain(|id| id.0 < first);
            self.cold.retain(|id| id.0 < first);
            if let Some(address) = NonNull::new(start as *mut u8) {
                // SAFETY: nothing in the arena is in use. Its tables and descriptors read as zeros when it is used
                // again.
                let _ = unsafe { memory::withdraw(address, ARENA_BYTES) };
            }
            self.arenas_end = start;
            self.fresh = start;
        }
        before != self.arenas_end
    }

    /// Returns an empty block. The mark table that is not in use may still have the bits of cells that the last full
    /// collection found dead. They are cleared now, because cells of another size have their bits at other places.
    pub fn release(&mut self, block: &mut Block) {
        debug_assert!(block.live[0] == 0 || block.live[1] == 0);
        for (index, table) in Table::MARKS.into_iter().enumerate() {
            if block.live[index] != 0 {
                // SAFETY: the block's own words.
                unsafe { bits::zero_words(block.bits(table), block.words()) };
                block.live[index] = 0;
            }
        }
        block.kind = Kind::Free;
        block.idle = 0;
        self.pool.push(block.id);
    }

    /// Returns the memory of the least recently used empty blocks until `keep` have some, for at most `limit` blocks.
    /// Returns the number of blocks.
    pub fn decommit(&mut self, keep: usize, limit: usize) -> usize {
        let count = self.pool.len().saturating_sub(keep).min(limit);
        if count == 0 {
            return 0;
        }
        let mut ids: Vec<BlockId> = Vec::new();
        if ids.try_reserve_exact(count).is_err() {
            return 0;
        }
        ids.extend(self.pool.drain(..count));
        ids.sort_unstable_by_key(|id| id.0);
        let mut at = 0;
        while at < ids.len() {
            let mut end = at + 1;
            while end < ids.len() && ids[end].0 == ids[end - 1].0 + 1 {
                end += 1;
            }
            let start = self.base + ids[at].0 as usize * BLOCK_BYTES;
            if let Some(start) = NonNull::new(start as *mut u8) {
                // SAFETY: the blocks are empty and in committed arenas. After a failure they keep their memory, which
                // is harmless.
                let _ = unsafe { memory::decommit(start, (end - at) * BLOCK_BYTES) };
            }
            at = end;
        }
        for id in &ids {
            // SAFETY: a pooled block has a description.
            unsafe { (*self.block(*id)).kind = Kind::Cold };
        }
        // The highest addresses are reused last, so that the heap contracts towards its bottom.
        self.cold.extend(ids.iter().rev());
        self.freed_blocks += count as u64;
        count
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if let Some(start) = NonNull::new(self.base as *mut u8).filter(|_| !self.lost_part) {
            // SAFETY: the region belongs to this heap alone, which is going away.
            let _ = unsafe { memory::unmap(start, self.bytes) };
        }
    }
}
