//! The parts of a mutator that compiled code uses to allocate cells inline.

use std::mem::offset_of;

use crate::classes::{SIZES, class_of};
use crate::layout::{Kind, space_index};
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
