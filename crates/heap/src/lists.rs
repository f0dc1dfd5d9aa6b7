//! Lists of blocks, linked through their descriptions, and the space of one kind and size class.

use crate::layout::{Block, BlockId};
use crate::region::Region;

/// A singly linked list with a head and a tail.
#[derive(Clone, Copy)]
pub struct List {
    head: BlockId,
    tail: BlockId,
    pub length: u32,
}

impl List {
    pub const EMPTY: List = List { head: BlockId::NONE, tail: BlockId::NONE, length: 0 };

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn push_front(&mut self, block: &mut Block) {
        block.next = self.head;
        self.head = block.id;
        if self.length == 0 {
            self.tail = block.id;
        }
        self.length += 1;
    }

    pub fn push_back(&mut self, region: &Region, block: &mut Block) {
        if self.length == 0 {
            self.head = block.id;
        } else {
            // SAFETY: a list links blocks with initialized descriptors, and `tail` is its last.
            unsafe { (*region.block(self.tail)).next = block.id };
        }
        self.tail = block.id;
        self.length += 1;
    }

    /// The block that `pop_front` would return.
    pub fn front(&self, region: &Region) -> Option<*mut Block> {
        (self.length > 0).then(|| region.block(self.head))
    }

    pub fn pop_front(&mut self, region: &Region) -> Option<*mut Block> {
        if self.length == 0 {
            return None;
        }
        let block = region.block(self.head);
        // SAFETY: listed blocks have descriptions, which stay mapped.
        self.head = unsafe { (*block).next };
        self.length -= 1;
        Some(block)
    }

    /// Appends all blocks of `other`.
    pub fn append(&mut self, region: &Region, other: &mut List) {
        if other.length == 0 {
            return;
        }
        if self.length == 0 {
            *self = *other;
        } else {
            // SAFETY: a list links blocks with initialized descriptors, and `tail` is its last.
            unsafe { (*region.block(self.tail)).next = other.head };
            self.tail = other.tail;
            self.length += other.length;
        }
        *other = List::EMPTY;
    }
}

/// The blocks of one kind and size class, except those that cursors are in.
#[derive(Clone, Copy)]
pub struct Space {
    /// At least a quarter of the cells are free: first those with many free cells, the most recently used of them
    /// first, then the others.
    pub partial: List,
    /// Waiting for the next full collection.
    pub full: List,
    /// Not examined since the last full collection.
    pub unswept: List,
    /// Cells that cursors took, in total.
    pub allocated: u64,
    /// Cells that cursors took since the last collection.
    pub young: u64,
    /// Its blocks, including those of cursors.
    pub blocks: u32,
    /// The number of blocks that it ever got.
    pub total_blocks: u64,
}

impl Space {
    pub const EMPTY: Space = Space {
        partial: List::EMPTY,
        full: List::EMPTY,
        unswept: List::EMPTY,
        allocated: 0,
        young: 0,
        blocks: 0,
        total_blocks: 0,
    };
}
