//! The parts of a mutator that compiled code uses: to allocate cells, and for the write barrier.

use std::mem::offset_of;

use crate::classes::{SIZES, class_of};
use crate::layout::{Block, Kind, Table, space_index};
use crate::mutator::{Cursor, Mutator};

/// The run of free cells from which objects of a size are allocated.
pub struct Source {
    /// The offset in a [`Mutator`] of the address of the next free cell.
    pub next: usize,
    /// The offset in a [`Mutator`] of the address behind the last free cell of the run.
    pub end: usize,
    /// The size of the cells.
    pub size: usize,
}

/// The source of cells of at least `size` bytes. A cell may be taken by adding its size to the address of the next one,
/// unless the result is beyond the end.
pub fn source(size: usize) -> Source {
    let class = class_of(size);
    let cursor = offset_of!(Mutator, cursors) + space_index(Kind::Objects, class) * size_of::<Cursor>();
    Source {
        next: cursor + offset_of!(Cursor, next),
        end: cursor + offset_of!(Cursor, end),
        size: SIZES[class] as usize,
    }
}

/// What tells the end of a buffer: one in an arena ends with its cell, whose size is in the description of its block.
pub mod buffers {
    use super::{Block, offset_of};

    pub use super::barrier::{ARENA_BYTES, ARENAS_END, BLOCK_SHIFT, DESCRIPTION_SHIFT};

    /// The offset of the size of a block's cells, a word of 32 bits, in the block's description.
    pub const CELL_SIZE: usize = offset_of!(Block, cell_size);
}

/// What the write barrier reads to find out whether a cell is marked, see [`crate::layout::Place`].
pub mod barrier {
    use super::{Block, Mutator, Table, offset_of};

    pub use crate::layout::{ARENA_BYTES, BLOCK_SHIFT, TABLE_SHIFT};

    /// Offsets in a [`Mutator`]: the current mark table, the one that a full marking builds (0 if none is under way),
    /// and the address below which all buffers lie in arenas.
    pub const MARKS: usize = offset_of!(Mutator, marks);
    pub const BUILDING: usize = offset_of!(Mutator, building);
    pub const ARENAS_END: usize = offset_of!(Mutator, arenas_end);
    /// The table of remembered cells.
    pub const REMEMBERED: usize = Table::REMEMBERED.0;
    /// The size of a block's description, as a shift, and the position of `reciprocal` in it.
    pub const DESCRIPTION_SHIFT: usize = size_of::<Block>().trailing_zeros() as usize;
    pub const RECIPROCAL: usize = offset_of!(Block, reciprocal);
}
