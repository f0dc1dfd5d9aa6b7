//! Allocating, growing and freeing buffers.

use abi::Value;

use crate::buffer::{Buffer, BufferKind, OutOfMemory};
use crate::classes::{MAX_CELL, SIZES, class_of};
use crate::layout::{Place, Table, block_at, space_index};
use crate::moving::MOVED_FROM;
use crate::mutator::Mutator;
use crate::request::{Cause, Request};

impl Mutator {
    /// A buffer of at least `bytes` bytes. A buffer of values is filled with zero words; one of bytes is not
    /// initialized.
    ///
    /// May collect. Returns an error, without losing anything, if the size is impossible, or if even an emergency
    /// collection did not free enough.
    #[inline]
    pub fn allocate_buffer(&mut self, bytes: usize, kind: BufferKind) -> Result<Buffer, OutOfMemory> {
        if bytes > MAX_CELL {
            return self.allocate_large(bytes, kind, false);
        }
        let class = class_of(bytes);
        let size = SIZES[class] as usize;
        let cell = self.try_take(space_index(kind.kind(), class), size)?;
        if kind == BufferKind::Values {
            // SAFETY: the cell is ours and `size` bytes long.
            unsafe { std::ptr::write_bytes(cell.cast::<u8>(), 0, size) };
        }
        // SAFETY: the cell was taken for the buffer.
        unsafe { Buffer::from_address(cell as usize) }.ok_or(OutOfMemory)
    }

    /// A buffer of values of at least `bytes` bytes that begins with a copy of `count` words; the rest is zero words.
    ///
    /// # Safety
    /// The words are values of a buffer that an object on the stack keeps alive, and their size is at most `bytes`.
    pub unsafe fn allocate_copy(
        &mut self,
        bytes: usize,
        words: *const Value,
        count: usize,
    ) -> Result<Buffer, OutOfMemory> {
        debug_assert!(count * size_of::<Value>() <= bytes);
        let (buffer, size) = if bytes > MAX_CELL {
            (self.allocate_large(bytes, BufferKind::Values, false)?, None)
        } else {
            let class = class_of(bytes);
            let size = SIZES[class] as usize;
            let cell = self.try_take(space_index(BufferKind::Values.kind(), class), size)?;
            // SAFETY: the cell was taken for the buffer.
            (unsafe { Buffer::from_address(cell as usize) }.ok_or(OutOfMemory)?, Some(size))
        };
        // SAFETY: this function's contract; a cell is `size` bytes long, and the two do not overlap.
        unsafe {
            std::ptr::copy_nonoverlapping(words, buffer.words(), count);
            if let Some(size) = size {
                let filled = count * size_of::<Value>();
                std::ptr::write_bytes(buffer.bytes().add(filled), 0, size - filled);
            }
        }
        self.remember_buffer(buffer, 0..count * size_of::<Value>());
        Ok(buffer)
    }

    #[inline(never)]
    fn allocate_large(&mut self, bytes: usize, kind: BufferKind, grows: bool) -> Result<Buffer, OutOfMemory> {
        let state = self.state();
        if bytes > state.region.bytes {
            return Err(OutOfMemory);
        }
        if state.must_collect() {
            self.collect_for_allocation();
        }
        for attempt in 0..2 {
            let state = self.state();
            let now = state.counters.collections();
            if let Some(index) = state.large.allocate(&mut state.region, bytes, kind.kind(), grows, now) {
                let object = state.large.get(index);
                let (start, bytes) = (object.start, object.bytes);
                state.young_large_bytes += bytes;
                state.debt += bytes.min(crate::allocate::STEP_BYTES);
                state.pay_debt();
                self.allocated_bytes += bytes as u64;
                self.sample_large(bytes);
                // SAFETY: the start of the pages that were allocated for the buffer.
                return unsafe { Buffer::from_address(start) }.ok_or(OutOfMemory);
            }
            if attempt == 0 {
                self.collect_now(Request::full(Cause::Exhausted));
                let state = self.state();
                if state.region.shrink() {
                    state.cleared_arenas = state.cleared_arenas.min(state.region.arenas());
                    state.update_mutators();
                }
            }
        }
        Err(OutOfMemory)
    }

    /// A buffer of at least `bytes` bytes with the first `used` bytes of this one: this buffer itself, grown in place,
    /// or a new one. In the second case the old one is released. The caller is its only owner.
    pub fn grow_buffer(
        &mut self,
        buffer: Buffer,
        kind: BufferKind,
        used: usize,
        bytes: usize,
    ) -> Result<Buffer, OutOfMemory> {
        let old = self.buffer_size(buffer);
        debug_assert!(used <= old);
        if bytes <= old {
            return Ok(buffer);
        }
        let large = buffer.address() >= self.arenas_end;
        if large {
            let state = self.state();
            let index = state.large.extents.index_of(buffer.address());
            let before = state.large.get(index).bytes;
            let mut grows = state.large.grow_in_place(index, bytes);
            if !grows && before >= MOVED_FROM {
                if state.must_collect() {
                    // This function's frame keeps the buffer alive.
                    self.collect_for_allocation();
                }
                let state = self.state();
                grows = state.large.grow_by_moving(&mut state.region, index, bytes);
            }
            if grows {
                let state = self.state();
                let object = state.large.get(index);
                let more = object.bytes - before;
                if object.young {
                    state.young_large_bytes += more;
                } else {
                    state.old_bytes += more;
                }
                // SAFETY: the start of the object's pages.
                return unsafe { Buffer::from_address(object.start) }.ok_or(OutOfMemory);
            }
        }
        let new =
            if bytes > MAX_CELL { self.allocate_large(bytes, kind, true)? } else { self.allocate_buffer(bytes, kind)? };
        // SAFETY: `used` bytes are inside both, and the two do not overlap. A collection meanwhile kept the old one
        // alive: this function's frame refers to it.
        unsafe { std::ptr::copy_nonoverlapping(buffer.bytes(), new.bytes(), used) };
        if kind == BufferKind::Values {
            self.remember_buffer(new, 0..used);
        }
        self.release_buffer(buffer);
        Ok(new)
    }

    /// A buffer of `bytes` zero bytes. Pages of a large one that were never written take no memory.
    pub fn allocate_zeros(&mut self, bytes: usize) -> Result<Buffer, OutOfMemory> {
        let buffer = self.allocate_buffer(bytes, BufferKind::Bytes)?;
        let mut dirty = bytes;
        if bytes > MAX_CELL {
            let large = &mut self.state().large;
            let index = large.extents.index_of(buffer.address());
            dirty = dirty.min(large.get(index).dirty);
        }
        // SAFETY: the bytes are inside the new buffer.
        unsafe { std::ptr::write_bytes(buffer.bytes(), 0, dirty) };
        Ok(buffer)
    }

    /// Returns the memory of a large buffer of bytes behind the first `bytes` of them, of which the caller is the only
    /// owner. Smaller ones stay as they are.
    pub fn shrink_buffer(&mut self, buffer: Buffer, bytes: usize) {
        if buffer.address() < self.arenas_end {
            return;
        }
        let state = self.state();
        let index = state.large.extents.index_of(buffer.address());
        let before = state.large.get(index).bytes;
        state.large.shrink(index, bytes);
        let object = state.large.get(index);
        let less = before - object.bytes;
        if object.young {
            state.young_large_bytes = state.young_large_bytes.saturating_sub(less);
        } else {
            state.old_bytes = state.old_bytes.saturating_sub(less);
        }
    }

    /// A hint: the caller was the only owner and drops it. Large buffers go to the cache at once; the cell that was
    /// allocated last is allocated again next.
    pub fn release_buffer(&mut self, buffer: Buffer) {
        if buffer.address() < self.arenas_end {
            return self.release_cell(buffer);
        }
        let state = self.state();
        let index = state.large.extents.index_of(buffer.address());
        // During a marking its work list may refer to a buffer of values.
        if state.phase == crate::heap::Phase::Marking && state.large.get(index).values {
            return;
        }
        let object = state.large.get(index);
        let (young, listed, bytes) = (object.young, object.listed, object.bytes);
        if young {
            state.large.young.retain(|i| *i != index);
            state.young_large_bytes = state.young_large_bytes.saturating_sub(bytes);
        } else {
            state.old_bytes = state.old_bytes.saturating_sub(bytes);
        }
        if listed {
            state.large.written.retain(|i| *i != index);
        }
        let now = state.counters.collections();
        state.large.free(index, now);
    }

    /// Takes a cursor back by the cell of a buffer, if that was the last one that it passed. Copies that are dropped
    /// soon and buffers that grow then leave nothing to the collector.
    fn release_cell(&mut self, buffer: Buffer) {
        let address = buffer.address();
        // SAFETY: a small buffer is a cell of a described block.
        let block = unsafe { &*block_at(address) };
        let space = block.space();
        let size = block.cell_size as usize;
        let (cursor, run) = (&self.cursors[space], &self.runs[space]);
        if cursor.next != address + size || !std::ptr::eq(run.block, block) {
            return;
        }
        // A cell that was counted, or that survived a collection, is not the cursor's any more.
        let cell = (((address - block.start()) as u64 * block.reciprocal) >> 32) as usize;
        // SAFETY: the address is that of a cell of an arena.
        let is_marked = |table: Table| unsafe { Place::of(address) }.test(table);
        let is_own = cell >= run.spanned as usize && !is_marked(self.marks) && !is_marked(Table::REMEMBERED);
        let state = self.state.as_ptr();
        // SAFETY: the heap outlives its mutators, and threads take turns.
        let is_plain = unsafe { (*state).phase != crate::heap::Phase::Marking && (*state).sampling.interval == 0 };
        if is_own && is_plain {
            self.cursors[space].next = address;
        }
    }

    /// The size of the buffer in bytes.
    #[inline]
    pub fn buffer_size(&self, buffer: Buffer) -> usize {
        if buffer.address() < self.arenas_end {
            // SAFETY: a small buffer is a cell of a described block.
            unsafe { (*block_at(buffer.address())).cell_size as usize }
        } else {
            let large = &mut self.state().large;
            let index = large.extents.index_of(buffer.address());
            large.get(index).bytes
        }
    }

    /// Whether the buffer, whose bytes before the address `used` are in use, has all bytes before `needed`. Mostly as
    /// cheap as a comparison, because large buffers consist of whole pages.
    #[inline(always)]
    pub fn buffer_reaches(&self, buffer: Buffer, used: usize, needed: usize) -> bool {
        const PAGE_SHIFT: u32 = 12;
        let is_large = buffer.address() >= self.arenas_end;
        let same_page = used > buffer.address() && (used - 1) >> PAGE_SHIFT == (needed - 1) >> PAGE_SHIFT;
        (is_large && same_page) || needed <= buffer.address() + self.buffer_size(buffer)
    }

    /// The size of the object's cell in bytes, including the header.
    #[inline]
    pub fn cell_size(value: abi::Value) -> usize {
        debug_assert!(value.is_heap());
        // SAFETY: a value of the heap points to a cell of a described block.
        unsafe { (*block_at(value.0 as usize)).cell_size as usize }
    }
}
