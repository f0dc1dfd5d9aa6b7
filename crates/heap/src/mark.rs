//! Marking one reference: the bit, the count of the block, the work list.

use abi::Value;

use crate::buffer::Buffer;
use crate::layout::{Kind, Place, block_at};
use crate::marker::{Forward, Marker, Purpose, Reference, TAG_CARDS, TAG_LARGE, TAG_OBJECT, TAG_VALUES, Visitor};
use crate::stack::Stack;

impl Marker {
    #[inline(always)]
    pub(crate) fn mark_cell(&mut self, address: usize) {
        debug_assert!(
            address >= self.base && address < self.arenas_end,
            "a value points outside of the heap: {address:#x}"
        );
        if self.set_mark(address) {
            self.stack.push(address as u64 | TAG_OBJECT);
        }
    }

    #[inline]
    pub(crate) fn mark_small_buffer(&mut self, address: usize) {
        debug_assert!(address >= self.base);
        if self.set_mark(address) {
            // SAFETY: the address is a cell's, so its block is described.
            if unsafe { (*block_at(address)).kind } == Kind::Values {
                self.stack.push(address as u64 | TAG_VALUES);
            }
        }
    }

    /// Marks the cell at `address`; true if it must be traced.
    #[inline(always)]
    fn set_mark(&mut self, address: usize) -> bool {
        // SAFETY: a reference points to a cell of an arena.
        let place = unsafe { Place::of(address) };
        if place.test(self.table) {
            if self.second.exists() && !place.test(self.second) {
                self.mark_grey(place, address);
            }
            return false;
        }
        if self.require.exists() && !place.test(self.require) {
            return false;
        }
        place.set(self.table);
        // SAFETY: the place's block is described.
        let block = unsafe { &mut *place.block };
        debug_assert!(block.kind as u8 <= Kind::Bytes as u8, "a reference to a free block: {address:#x}");
        block.live[self.live_index] += 1;
        self.marked_cells += 1;
        self.marked_bytes += block.cell_size as u64;
        if self.second.exists() {
            place.set(self.second);
            block.live[1 - self.live_index] += 1;
        }
        true
    }

    /// Marks an old cell that a minor collection has reached and the full marking has not.
    #[inline(never)]
    fn mark_grey(&mut self, place: Place, address: usize) {
        place.set(self.second);
        // SAFETY: the place's block is described.
        let block = unsafe { &mut *place.block };
        block.live[1 - self.live_index] += 1;
        self.grey_bytes += block.cell_size as u64;
        match block.kind {
            Kind::Objects => self.grey.push(address as u64 | TAG_OBJECT),
            Kind::Values => self.grey.push(address as u64 | TAG_VALUES),
            _ => {}
        }
    }

    #[inline(never)]
    pub(crate) fn mark_large(&mut self, index: u32) {
        // SAFETY: the large space outlives the marker, and nothing else uses it during a collection.
        let object = unsafe { (*self.large).get(index) };
        let entry = |tag| (index as u64) << 3 | tag;
        let push = |stack: &mut Stack, tag| stack.push_pair(0, entry(tag));
        if object.marked[self.live_index] {
            if self.second.exists() && !object.marked[1 - self.live_index] {
                object.marked[1 - self.live_index] = true;
                self.grey_bytes += object.bytes as u64;
                if object.values {
                    push(&mut self.grey, TAG_LARGE);
                }
            }
            return;
        }
        if self.require.exists() && object.young {
            return;
        }
        object.marked[self.live_index] = true;
        self.marked_bytes += object.bytes as u64;
        if self.second.exists() {
            object.marked[1 - self.live_index] = true;
        }
        if !object.values {
            return;
        }
        if self.purpose == Purpose::Minor {
            push(&mut self.stack, TAG_CARDS);
            if self.second.exists() {
                push(&mut self.grey, TAG_LARGE);
            }
        } else {
            push(&mut self.stack, TAG_LARGE);
        }
    }

    /// # Safety
    /// As for [`Marker::slot`].
    #[cold]
    pub(crate) unsafe fn special_slot(&mut self, slot: *mut Value, value: Value) {
        if let Some(forward) = self.forward {
            // SAFETY: set only while the function that owns the closure runs.
            if let Some(new) = unsafe { (*forward)(value.0 as usize) } {
                // SAFETY: `slot` is a live slot, by this function's contract.
                unsafe { *slot = Value(new as u64) };
            }
        }
        if let Some(visit) = self.visit {
            // SAFETY: `visit` outlives the marker, by the contract of `set_visitor`.
            unsafe { (*visit)(Reference::Value(value), slot) };
        }
    }

    #[cold]
    pub(crate) fn special_buffer(&mut self, buffer: Buffer) {
        if let Some(visit) = self.visit {
            // SAFETY: set only while the function that owns the closure runs.
            unsafe { (*visit)(Reference::Buffer(buffer), std::ptr::null_mut()) };
        }
    }

    /// Sets the function that returns the new address of a cell, for `Purpose::Update`.
    ///
    /// # Safety
    /// The marker is not used after `forward` was dropped.
    pub(crate) unsafe fn set_forward<'a>(&mut self, forward: &'a Forward<'a>) {
        let forward: *const Forward<'a> = forward;
        // SAFETY: only the lifetime changes, and this function's contract ensures it.
        self.forward = Some(unsafe { std::mem::transmute::<*const Forward<'a>, *const Forward<'static>>(forward) });
    }

    /// Sets the function that receives each reference, for `Purpose::Visit`.
    ///
    /// # Safety
    /// The marker is not used after `visitor` was dropped.
    pub(crate) unsafe fn set_visitor<'a>(&mut self, visitor: &'a mut Visitor<'a>) {
        let visitor: *mut Visitor<'a> = visitor;
        // SAFETY: only the lifetime changes, and this function's contract ensures it.
        self.visit = Some(unsafe { std::mem::transmute::<*mut Visitor<'a>, *mut Visitor<'static>>(visitor) });
    }
}
