//! Walking over all objects, looking up addresses, and the data of a cell for heap dumps.

use abi::Value;

use crate::buffer::{Buffer, BufferKind, OutOfMemory};
use crate::heap::{Heap, State};
use crate::layout::{Block, Kind, Place, Table, block_at};
use crate::marker::{Marker, Purpose, Reference, live_cell};
use crate::mutator::Mutator;

/// The state of a cell according to the collector's tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellFlags {
    /// It survived a collection.
    pub old: bool,
    /// Marked by the current full marking, or by the last one.
    pub marked: bool,
    pub marking: bool,
    pub remembered: bool,
    pub pinned: bool,
}

/// Objects in a buffer of values, which lives as long as this is on the native stack.
pub struct Snapshot {
    buffer: Buffer,
    count: usize,
}

impl Snapshot {
    /// The objects one by one; Ruby may run in between.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value> {
        (0..self.count).map(move |i| {
            // SAFETY: the snapshot is borrowed, so the buffer is alive, and has `count` values.
            unsafe { *std::hint::black_box(self).buffer.words().add(i) }
        })
    }
}

/// The number of objects that a snapshot finds in one walk.
const WALKED_ONCE: usize = 512;

impl Mutator {
    /// Calls `f` with every object cell, including dead ones that no collection has found yet. `f` must not allocate.
    pub fn each_object(&mut self, f: &mut dyn FnMut(Value)) {
        self.each_cell(Kind::Objects, &mut |address, _| f(Value(address as u64)));
    }

    /// Calls `f` with every buffer and its size in bytes. `f` must not allocate.
    pub fn each_buffer(&mut self, f: &mut dyn FnMut(Buffer, BufferKind, usize)) {
        for (kind, sort) in [(Kind::Values, BufferKind::Values), (Kind::Bytes, BufferKind::Bytes)] {
            self.each_cell(kind, &mut |address, size| {
                // SAFETY: the cell of a live buffer.
                if let Some(buffer) = unsafe { Buffer::from_address(address) } {
                    f(buffer, sort, size);
                }
            });
        }
        for object in &self.state().large.objects {
            let kind = if object.values { BufferKind::Values } else { BufferKind::Bytes };
            // SAFETY: the start of a large buffer in use.
            if let Some(buffer) = unsafe { Buffer::from_address(object.start) } {
                f(buffer, kind, object.bytes);
            }
        }
    }

    fn each_cell(&mut self, kind: Kind, f: &mut impl FnMut(usize, usize)) {
        self.retire_all();
        let state = self.state();
        let current = state.current_table();
        state.region.each_block(|block| {
            if block.kind == kind {
                each_live(block, current, &mut |address| f(address, block.cell_size as usize));
            }
        });
    }

    /// All objects that `wanted` accepts. For walks that run Ruby.
    pub fn snapshot_objects(&mut self, wanted: &mut dyn FnMut(Value) -> bool) -> Result<Snapshot, OutOfMemory> {
        // The native stack keeps the first ones alive; most walks look for few objects and need no second walk.
        let mut first = [Value::NIL; WALKED_ONCE];
        let mut room = 0;
        self.each_cell(Kind::Objects, &mut |address, _| {
            let value = Value(address as u64);
            if wanted(value) {
                if let Some(place) = first.get_mut(room) {
                    *place = value;
                }
                room += 1;
            }
        });
        // This may collect, which only reduces the number of objects: buffers are not objects.
        let buffer = self.allocate_buffer(room.max(1) * 8, BufferKind::Values)?;
        // The compiler cannot know that a collection reads them.
        let first = std::hint::black_box(&first);
        let mut filled = 0;
        let mut add = |value: Value| {
            if filled < room {
                // SAFETY: the buffer has `room` words.
                unsafe { *buffer.words().add(filled) = value };
                filled += 1;
            }
        };
        match first.get(..room) {
            Some(all) => all.iter().for_each(|value| add(*value)),
            None => self.each_cell(Kind::Objects, &mut |address, _| {
                let value = Value(address as u64);
                if wanted(value) {
                    add(value);
                }
            }),
        }
        self.remember_buffer(buffer, 0..filled * 8);
        Ok(Snapshot { buffer, count: filled })
    }

    /// The object whose live cell contains `address`, if there is one.
    pub fn is_live_cell(&mut self, address: usize) -> Option<Value> {
        self.retire_all();
        let state = self.state();
        if address < state.region.base || address >= state.region.arenas_end {
            return None;
        }
        // SAFETY: the arenas between these two bounds are committed.
        match unsafe { live_cell(address, state.current_table()) }? {
            (cell, Kind::Objects) => Some(Value(cell as u64)),
            _ => None,
        }
    }

    /// Whether an object may begin at `address`: a live object does, or the next one that a cursor takes would. It
    /// reads only tables and may be called by a signal handler.
    pub fn may_be_object(&self, address: usize) -> bool {
        let state = self.state();
        if address < state.region.base || address >= state.region.arenas_end {
            return false;
        }
        // SAFETY: the arenas between these two bounds are committed.
        unsafe { live_cell(address, state.current_table()) == Some((address, Kind::Objects)) }
    }

    /// Calls `f` with everything that the object refers to directly.
    pub fn references(&mut self, object: Value, f: &mut dyn FnMut(Reference)) {
        if !object.is_heap() {
            return;
        }
        let state = self.state();
        let mut marker = state.marker(Purpose::Visit);
        let mut report = |reference: Reference, _: *mut Value| f(reference);
        // SAFETY: the marker is given back before the closure ends.
        unsafe { marker.set_visitor(&mut report) };
        // SAFETY: a heap value refers to a live object.
        unsafe { marker.trace_object(object.cell()) };
        state.end_marking(marker);
    }

    /// Calls `f` with every value in the buffer, if it is one of values.
    pub fn buffer_references(&mut self, buffer: Buffer, f: &mut dyn FnMut(Value)) {
        let address = buffer.address();
        let (values, bytes) = if address < self.arenas_end {
            // SAFETY: a small buffer is a cell of a described block.
            let block = unsafe { &*block_at(address) };
            (block.kind == Kind::Values, block.cell_size as usize)
        } else {
            let large = &mut self.state().large;
            let index = large.extents.index_of(address);
            let object = large.get(index);
            (object.values, object.bytes)
        };
        for at in 0..if values { bytes / 8 } else { 0 } {
            // SAFETY: the buffer is alive, and every word of one of values is a value.
            let value = unsafe { *buffer.words().add(at) };
            if value.is_heap() {
                f(value);
            }
        }
    }

    /// Calls `f` with everything that `walk` visits, which is a part of the roots.
    pub fn references_of(&mut self, f: &mut dyn FnMut(Reference), walk: &mut dyn FnMut(&mut Marker)) {
        self.visit_with(f, &mut |_, marker| walk(marker));
    }

    /// Calls `f` with everything that this thread's native stack and registers may refer to.
    pub fn stack_references(&mut self, f: &mut dyn FnMut(Reference)) {
        let base = self.stack_base;
        self.visit_with(f, &mut |_, marker| {
            crate::roots::with_registers_on_stack(|top| {
                // SAFETY: the calling thread's own stack.
                unsafe { marker.conservative(top, base) }
            });
        });
    }

    fn visit_with(&mut self, f: &mut dyn FnMut(Reference), walk: &mut dyn FnMut(&mut State, &mut Marker)) {
        self.retire_all();
        let state = self.state();
        let mut marker = state.marker(Purpose::Visit);
        let mut report = |reference: Reference, _: *mut Value| f(reference);
        // SAFETY: the marker is given back before the closure ends.
        unsafe { marker.set_visitor(&mut report) };
        walk(state, &mut marker);
        state.end_marking(marker);
    }

    pub fn cell_flags(&self, value: Value) -> CellFlags {
        debug_assert!(value.is_heap());
        // SAFETY: values of the heap point to cells of arenas.
        let place = unsafe { Place::of(value.0 as usize) };
        let old = place.test(self.marks);
        let marking = self.building.exists();
        CellFlags {
            old,
            marked: if marking { place.test(self.building) } else { old },
            marking: marking && old && !place.test(self.building),
            remembered: place.test(Table::REMEMBERED),
            pinned: self.state().pins.contains(&value),
        }
    }

    /// Counts the cells that cursors took and ends their runs, so that the tables are exact.
    pub(crate) fn retire_all(&mut self) {
        self.state().retire_all();
    }
}

impl Heap {
    /// Whether the address is inside the heap's address space.
    pub fn contains(&self, address: usize) -> bool {
        let region = &self.state().region;
        address >= region.base && address < region.end()
    }
}

/// Calls `f` with the address of each live cell of the block.
pub(crate) fn each_live(block: &Block, current: Table, f: &mut impl FnMut(usize)) {
    for word in 0..block.words() {
        // SAFETY: the block's own words.
        let mut live = unsafe { *block.bits(current).add(word) | *block.bits(Table::YOUNG).add(word) };
        while live != 0 {
            let index = word * 64 + live.trailing_zeros() as usize;
            live &= live - 1;
            f(block.cell(index));
        }
    }
}
