//! The layout of an arena: blocks, their descriptors, and the side tables with one bit per cell.
//!
//! ```text
//! arena, 4 MiB, aligned:
//! 0x000000  descriptions of the 64 blocks, a cache line each (the first three are the tables themselves: unused)
//! 0x001000  mark table 0       0x009000  mark table 1       0x011000  young
//! 0x018a00  remembered         0x020400  pinned             0x027e00  scratch
//! 0x030000  61 blocks of 64 KiB
//! ```
//! Invariant: nothing about a cell is written into its block. The two mark tables start on pages of their own, so that
//! the memory of the unused one can be returned.

use crate::classes;

pub const BLOCK_SHIFT: usize = 16;
pub const BLOCK_BYTES: usize = 1 << BLOCK_SHIFT;
pub const ARENA_SHIFT: usize = 22;
pub const ARENA_BYTES: usize = 1 << ARENA_SHIFT;
/// Blocks of an arena, tables included.
pub const ARENA_BLOCKS: usize = ARENA_BYTES / BLOCK_BYTES;
/// The first blocks of an arena hold the tables.
pub const FIRST_BLOCK: usize = 3;

/// Bytes of one table for one block, as a shift: a bit for each of the smallest cells.
pub const TABLE_SHIFT: usize = BLOCK_SHIFT - 7;
const TABLE_STRIDE: usize = 1 << TABLE_SHIFT;
/// Words of one table for one block, of which large cells use fewer.
pub const TABLE_WORDS: usize = TABLE_STRIDE / 8;
/// Bytes of a mark table in an arena, in whole pages.
pub const MARK_TABLE_BYTES: usize = 0x8000;

/// A side table, identified by the offset to add to the arena's address and 512 times the block's number to find the
/// block's bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Table(pub usize);

impl Table {
    const fn starting_at(offset: usize) -> Table {
        Table(offset - FIRST_BLOCK * TABLE_STRIDE)
    }
    /// No table.
    pub const NONE: Table = Table(0);
    pub const MARKS: [Table; 2] = [Table::starting_at(MARK_TABLE_START[0]), Table::starting_at(MARK_TABLE_START[1])];
    pub const YOUNG: Table = Table::starting_at(0x11000);
    pub const REMEMBERED: Table = Table::starting_at(0x18a00);
    pub const PINNED: Table = Table::starting_at(0x20400);
    /// Used inside one stop by verification and compaction; zero between them.
    pub const SCRATCH: Table = Table::starting_at(0x27e00);

    #[inline(always)]
    pub fn exists(self) -> bool {
        self.0 != 0
    }
}

/// Offsets of the mark tables in the arena.
pub const MARK_TABLE_START: [usize; 2] = [0x1000, 0x9000];

/// The kind of a block's cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Cells with a header.
    Objects = 0,
    /// Buffers in which every word is a `Value`, zero if unused.
    Values = 1,
    /// Buffers that are never scanned.
    Bytes = 2,
    /// Empty, in the pool.
    Free = 3,
    /// Empty and without memory.
    Cold = 4,
}

/// The number of (kind, class) pairs that have blocks of their own.
pub const SPACES: usize = 3 * classes::COUNT;

#[inline(always)]
pub const fn space_index(kind: Kind, class: usize) -> usize {
    kind as usize * classes::COUNT + class
}

/// A block's number: its distance from the region's start in blocks. 0 is no block (the first one of an arena holds
/// tables).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct BlockId(pub u32);

impl BlockId {
    pub const NONE: BlockId = BlockId(0);
}

/// The description of a block.
#[repr(C, align(64))]
pub struct Block {
    /// 2^32 / cell size, rounded up: cell index = offset x reciprocal >> 32, exact for offsets below 2^16.
    /// A word, so that the write barrier of compiled code multiplies by it where it is.
    pub reciprocal: u64,
    pub cell_size: u32,
    pub cells: u16,
    pub kind: Kind,
    pub class: u8,
    /// Bits set in each of the mark tables.
    pub live: [u16; 2],
    /// A cursor took cells from it since the last collection.
    pub touched: bool,
    /// The list of its space that contains it, if any.
    pub next: BlockId,
    pub id: BlockId,
    /// The number of full collections during which it stayed empty; decides on returning its memory.
    pub idle: u16,
}

const _: () = assert!(size_of::<Block>() == 64);

impl Block {
    #[inline(always)]
    pub fn space(&self) -> usize {
        space_index(self.kind, self.class as usize)
    }

    /// The address of the first cell.
    #[inline(always)]
    pub fn start(&self) -> usize {
        let description = self as *const Block as usize;
        let number = (description & (ARENA_BYTES - 1)) / size_of::<Block>();
        (description & !(ARENA_BYTES - 1)) + number * BLOCK_BYTES
    }

    #[inline(always)]
    pub fn cell(&self, index: usize) -> usize {
        self.start() + index * self.cell_size as usize
    }

    /// The index of the cell that contains `address`, which must be inside the block.
    #[inline(always)]
    pub fn index_of(&self, address: usize) -> usize {
        (((address & (BLOCK_BYTES - 1)) as u64 * self.reciprocal) >> 32) as usize
    }

    /// The words of this block's bits in `table`.
    #[inline(always)]
    pub fn bits(&self, table: Table) -> *mut u64 {
        let description = self as *const Block as usize;
        let number = (description & (ARENA_BYTES - 1)) / size_of::<Block>();
        ((description & !(ARENA_BYTES - 1)) + table.0 + number * TABLE_STRIDE) as *mut u64
    }

    /// Words of a table that this block's cells use.
    #[inline(always)]
    pub fn words(&self) -> usize {
        (self.cells as usize).div_ceil(64)
    }

    /// Whether at least half of the cells are free, by the mark table with this index.
    #[inline(always)]
    pub fn is_mostly_free(&self, table: usize) -> bool {
        self.live[table] <= self.cells / 2
    }

    /// Makes an empty block a block of cells of this class.
    pub fn format(&mut self, kind: Kind, class: usize) {
        let size = classes::SIZES[class] as u32;
        self.reciprocal = (1u64 << 32).div_ceil(size as u64);
        self.cell_size = size;
        self.cells = (BLOCK_BYTES / size as usize) as u16;
        self.kind = kind;
        self.class = class as u8;
        self.idle = 0;
    }
}

/// The position of a cell's bits.
#[derive(Clone, Copy)]
pub struct Place {
    pub block: *mut Block,
    /// The offset to add to a table to get the address of the word.
    base: usize,
    pub mask: u64,
}

impl Place {
    /// The position of the cell that contains `address`, which must be in a formatted block.
    ///
    /// # Safety
    /// `address` lies in a block of an arena.
    #[inline(always)]
    pub unsafe fn of(address: usize) -> Place {
        let block = block_at(address);
        // SAFETY: by this function's contract the address is in a block, so its descriptor is mapped.
        let index = unsafe { (*block).index_of(address) };
        let arena = address & !(ARENA_BYTES - 1);
        let number = (address & (ARENA_BYTES - 1)) >> BLOCK_SHIFT;
        Place { block, base: arena + number * TABLE_STRIDE + (index >> 6) * 8, mask: 1 << (index & 63) }
    }

    #[inline(always)]
    pub fn word(self, table: Table) -> *mut u64 {
        (self.base + table.0) as *mut u64
    }

    #[inline(always)]
    pub fn test(self, table: Table) -> bool {
        // SAFETY: a `Place` refers to a cell of an arena, whose tables are mapped.
        unsafe { *self.word(table) & self.mask != 0 }
    }

    #[inline(always)]
    pub fn set(self, table: Table) {
        // SAFETY: a `Place` refers to a cell of an arena, whose tables are mapped.
        unsafe { *self.word(table) |= self.mask }
    }

    #[inline(always)]
    pub fn clear(self, table: Table) {
        // SAFETY: a `Place` refers to a cell of an arena, whose tables are mapped.
        unsafe { *self.word(table) &= !self.mask }
    }
}

/// The descriptor of the block that contains `address`.
#[inline(always)]
pub fn block_at(address: usize) -> *mut Block {
    let arena = address & !(ARENA_BYTES - 1);
    let number = (address & (ARENA_BYTES - 1)) >> BLOCK_SHIFT;
    (arena + number * size_of::<Block>()) as *mut Block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_do_not_overlap_and_end_before_the_first_block() {
        let rows = (ARENA_BLOCKS - FIRST_BLOCK) * TABLE_STRIDE;
        let starts = [MARK_TABLE_START[0], MARK_TABLE_START[1], 0x11000, 0x18a00, 0x20400, 0x27e00];
        assert!(starts[0] >= ARENA_BLOCKS * size_of::<Block>());
        assert!(starts.windows(2).all(|w| w[0] + rows <= w[1]));
        assert!(starts[5] + rows <= FIRST_BLOCK * BLOCK_BYTES);
        assert!(rows <= MARK_TABLE_BYTES && MARK_TABLE_START.iter().all(|s| s % 4096 == 0));
    }

    #[test]
    fn reciprocals_are_exact() {
        for size in classes::SIZES.map(|s| s as usize) {
            let reciprocal = (1u64 << 32).div_ceil(size as u64);
            for offset in 0..BLOCK_BYTES {
                assert_eq!(((offset as u64 * reciprocal) >> 32) as usize, offset / size);
            }
        }
    }
}
