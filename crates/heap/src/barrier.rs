//! The write barrier: one function for every store of a reference.
//!
//! For a store of a reference to `b` into a container `a`: if `a` is unmarked (young), nothing happens. Otherwise, if
//! `b` is young, `a` is remembered. If a full marking is under way and `a` is marked in its table but `b` is not, `b`
//! is marked there.

use std::ops::Range;

use abi::Value;

use crate::buffer::Buffer;
use crate::heap::State;
use crate::large::CARD_BYTES;
use crate::layout::{Kind, Place, Table, block_at};
use crate::marker::{TAG_LARGE, TAG_OBJECT, TAG_VALUES};
use crate::mutator::Mutator;

/// This many bytes of remembered cells make a collection due: all of them are scanned in its pause.
const REMEMBERED_LIMIT: usize = 4 << 20;

/// The cost of visiting a remembered cell, in bytes scanned in the same time.
const REMEMBERED_COST: usize = 64;

#[inline(always)]
fn marked(address: usize, table: Table) -> bool {
    // SAFETY: this file passes the addresses of heap values, of cells whose table bits it has just read, and of buffers
    // below `arenas_end`: all are cells of arenas.
    unsafe { Place::of(address) }.test(table)
}

impl Mutator {
    /// Stores `value` in a slot of the object `container`.
    ///
    /// # Safety
    /// `slot` is one of the live cell `container`.
    #[inline(always)]
    pub unsafe fn write(&mut self, container: Value, slot: *mut Value, value: Value) {
        // SAFETY: this function's contract: `slot` is a field of the live container.
        unsafe { *slot = value };
        if value.is_heap() {
            self.barrier_heap(container, value);
        }
    }

    /// Stores `value` in a slot of a buffer of values.
    ///
    /// # Safety
    /// `slot` is one of the live buffer's.
    #[inline(always)]
    pub unsafe fn write_buffer(&mut self, buffer: Buffer, slot: *mut Value, value: Value) {
        // SAFETY: this function's contract: `slot` is a word of the live buffer.
        unsafe { *slot = value };
        if value.is_heap() {
            self.barrier_in_buffer(buffer, slot as usize, value);
        }
    }

    /// The barrier for a store of `value` into `container` that was made without `write`.
    #[inline(always)]
    pub fn barrier(&mut self, container: Value, value: Value) {
        if value.is_heap() {
            self.barrier_heap(container, value);
        }
    }

    /// The barrier for a store of a reference to `buffer` into the object `container`. Every such store needs it.
    #[inline]
    pub fn barrier_buffer(&mut self, container: Value, buffer: Buffer) {
        if buffer.address() < self.arenas_end {
            self.barrier_heap(container, Value(buffer.address() as u64));
        } else if marked(container.0 as usize, self.marks) {
            self.large_referent(container.0 as usize, buffer);
        }
    }

    #[inline]
    fn barrier_heap(&mut self, container: Value, value: Value) {
        if marked(container.0 as usize, self.marks) {
            self.old_container(container.0 | TAG_OBJECT, value.0 as usize);
        }
    }

    #[inline]
    fn old_container(&mut self, entry: u64, referent: usize) {
        if !marked(referent, self.marks) {
            self.remember_entry(entry);
        } else if self.building.exists()
            && marked((entry & !7) as usize, self.building)
            && !marked(referent, self.building)
        {
            self.state().make_grey(referent);
        }
    }

    #[inline(never)]
    fn barrier_in_buffer(&mut self, buffer: Buffer, slot: usize, value: Value) {
        if buffer.address() < self.arenas_end {
            if marked(buffer.address(), self.marks) {
                self.old_container(buffer.address() as u64 | TAG_VALUES, value.0 as usize);
            }
            return;
        }
        let young = !marked(value.0 as usize, self.marks);
        let state = self.state();
        let index = state.large.extents.index_of(buffer.address());
        if young {
            state.set_card(index, slot);
        } else if self.building.exists()
            && state.large.get(index).marked[1 - state.current]
            && !marked(value.0 as usize, self.building)
        {
            state.make_grey(value.0 as usize);
        }
    }

    #[inline(never)]
    fn large_referent(&mut self, container: usize, buffer: Buffer) {
        let state = self.state();
        let current = state.current;
        let index = state.large.extents.index_of(buffer.address());
        let object = state.large.get(index);
        if object.young {
            self.remember_entry(container as u64 | TAG_OBJECT);
        } else if self.building.exists() && marked(container, self.building) && !object.marked[1 - current] {
            object.marked[1 - current] = true;
            let (bytes, values) = (object.bytes, object.values);
            state.building_bytes += bytes;
            if values {
                state.grey.push_pair(0, (index as u64) << 3 | TAG_LARGE);
            }
        }
    }

    #[inline(never)]
    fn remember_entry(&mut self, entry: u64) {
        let address = (entry & !7) as usize;
        // SAFETY: this file passes entries of heap values and of buffers below `arenas_end`: cells of arenas.
        let place = unsafe { Place::of(address) };
        if place.test(Table::REMEMBERED) {
            return;
        }
        place.set(Table::REMEMBERED);
        let state = self.state();
        state.remembered.push(entry);
        // SAFETY: the place's block is described.
        state.remembered_bytes += unsafe { (*place.block).cell_size as usize } + REMEMBERED_COST;
        if state.remembered_bytes > REMEMBERED_LIMIT && !state.due {
            state.due = true;
            self.interrupt();
        }
    }

    /// The barrier for an object into which several references were stored at once.
    pub fn remember(&mut self, container: Value) {
        if container.is_heap() && marked(container.0 as usize, self.marks) {
            self.remember_entry(container.0 | TAG_OBJECT);
        }
    }

    /// The barrier after several values were stored in a buffer of values; `range` is in bytes from its start. If an
    /// old reference among them was not seen by a full marking, it is found when the remembered cells are scanned.
    pub fn remember_buffer(&mut self, buffer: Buffer, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        if buffer.address() < self.arenas_end {
            if marked(buffer.address(), self.marks) {
                self.remember_entry(buffer.address() as u64 | TAG_VALUES);
            }
            return;
        }
        let state = self.state();
        let index = state.large.extents.index_of(buffer.address());
        let mut at = range.start & !(CARD_BYTES - 1);
        while at < range.end {
            state.set_card(index, buffer.address() + at);
            at += CARD_BYTES;
        }
        state.remembered_bytes += range.len();
        if state.remembered_bytes > 4 * REMEMBERED_LIMIT && !state.due {
            state.due = true;
            self.interrupt();
        }
    }
}

impl State {
    fn set_card(&mut self, index: u32, address: usize) {
        let object = self.large.get(index);
        object.set_card(address);
        if !object.listed {
            object.listed = true;
            // Room was made when the object was allocated.
            self.large.written.push(index);
        }
    }

    /// Marks an old cell for the full marking.
    #[inline(never)]
    fn make_grey(&mut self, address: usize) {
        // SAFETY: this file passes the address of a cell of an arena, whose mark it has just read.
        let place = unsafe { Place::of(address) };
        place.set(self.other_table());
        // SAFETY: the place's block is described.
        let block = unsafe { &mut *block_at(address) };
        block.live[1 - self.current] += 1;
        self.building_bytes += block.cell_size as usize;
        match block.kind {
            Kind::Objects => self.grey.push(address as u64 | TAG_OBJECT),
            Kind::Values => self.grey.push(address as u64 | TAG_VALUES),
            _ => {}
        }
    }
}
