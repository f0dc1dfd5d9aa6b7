//! `Marker`: the visitor to which tracing functions and root callbacks pass references.
//!
//! One visitor serves all walks over references: marking, updating after a compaction, verification, and listing an
//! object's references. Marking is the fast path; `special` selects the others.
//!
//! Invariant of the two mark tables: a cell that is marked in the table being built is also marked in the current one.

use abi::Value;

use crate::buffer::Buffer;
use crate::large::LargeSpace;
use crate::layout::{Kind, Place, Table, block_at};
use crate::sides::SideTable;
use crate::stack::Stack;
use crate::types::{Layout, Types};

/// The purpose of a walk over references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Young cells are marked in the current table; while a full marking is under way, in both.
    Minor,
    /// Cells are marked in the table being built.
    Full,
    /// Slots of moved cells are given the new address.
    Update,
    /// Each reference is passed to a callback.
    Visit,
}

/// A reference as seen by a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    Value(Value),
    Buffer(Buffer),
}

/// The new address of a moved cell; `None` for one that did not move.
pub(crate) type Forward<'a> = dyn Fn(usize) -> Option<usize> + 'a;
/// A callback for each reference and the slot that contains it (null for buffers).
pub(crate) type Visitor<'a> = dyn FnMut(Reference, *mut Value) + 'a;

/// Tags of mark stack entries; the rest of the word is the cell's address, or the large object's index.
pub(crate) const TAG_OBJECT: u64 = 0;
pub(crate) const TAG_VALUES: u64 = 1;
/// A large buffer: its set cards, from the word index in the entry below.
pub(crate) const TAG_CARDS: u64 = 2;
/// A large buffer as a whole, from the word index in the entry below.
pub(crate) const TAG_LARGE: u64 = 3;
pub(crate) const TAG_MASK: u64 = 7;

/// The table of classes by shape number, which is in the upper half of a header. The owner of the shapes owns it;
/// classes of shapes below `first` are separate roots.
/// Extensions in C read the first field.
#[repr(C)]
pub struct ShapeClasses {
    pub classes: *mut Value,
    pub first: u32,
}

impl ShapeClasses {
    /// Objects do not keep their classes alive.
    pub const NONE: ShapeClasses = ShapeClasses { first: u32::MAX, classes: std::ptr::null_mut() };
}

pub struct Marker {
    /// The table in which cells are marked.
    pub(crate) table: Table,
    /// In a minor collection during a full marking: the table being built.
    pub(crate) second: Table,
    /// In a full marking while there are young cells: only cells marked here are visited.
    pub(crate) require: Table,
    /// The current table.
    pub(crate) current: Table,
    pub(crate) live_index: usize,
    pub(crate) special: bool,
    pub(crate) pinning: bool,
    pub(crate) scans_unchanged: bool,
    pub(crate) purpose: Purpose,
    pub(crate) stack: Stack,
    /// The full marking's work list, while a minor collection runs.
    pub(crate) grey: Stack,
    pub(crate) types: &'static Types,
    /// As in `ShapeClasses`.
    pub(crate) first_shape: u32,
    pub(crate) shape_classes: *mut Value,
    pub(crate) large: *mut LargeSpace,
    pub(crate) attachments: *mut SideTable<Value>,
    pub(crate) base: usize,
    pub(crate) arenas_end: usize,
    pub(crate) region_end: usize,
    pub(crate) marked_cells: u64,
    pub(crate) marked_bytes: u64,
    /// Bytes of old cells that a minor collection marked for the full marking.
    pub(crate) grey_bytes: u64,
    /// Words visited, for pacing.
    pub(crate) work: usize,
    pub(crate) forward: Option<*const Forward<'static>>,
    pub(crate) visit: Option<*mut Visitor<'static>>,
}

impl Marker {
    /// Visits the reference in a slot. The slot may be written to: it must be the actual location of the value.
    ///
    /// # Safety
    /// `slot` points to a `Value` of a live cell, buffer or root.
    #[inline(always)]
    pub unsafe fn slot(&mut self, slot: *mut Value) {
        // SAFETY: this function's contract: the slot holds a `Value`.
        let value = unsafe { *slot };
        if value.is_heap() {
            if self.special {
                // SAFETY: by this function's contract.
                unsafe { self.special_slot(slot, value) }
            } else {
                self.mark_cell(value.0 as usize)
            }
        }
    }

    /// Visits a reference that does not keep an old cell alive. After a full collection, and before the dead cells are
    /// reused, a weak table must remove the references to dead cells.
    ///
    /// # Safety
    /// As for `slot`; the cell may also be one that has died and was not reused.
    pub unsafe fn weak_slot(&mut self, slot: *mut Value) {
        let is_visited = match self.purpose {
            // SAFETY: this function's contract: a heap value is the address of a cell.
            Purpose::Minor => unsafe { (*slot).is_heap() && Place::of((*slot).0 as usize).test(Table::YOUNG) },
            Purpose::Update => true,
            Purpose::Full | Purpose::Visit => false,
        };
        if is_visited {
            // SAFETY: this function's contract: a young cell, or one to which all references are updated, is alive.
            unsafe { self.slot(slot) }
        }
    }

    /// Visits `count` slots in a row.
    ///
    /// # Safety
    /// As for `slot`, for each of them.
    #[inline(always)]
    pub unsafe fn slots(&mut self, first: *mut Value, count: usize) {
        for i in 0..count {
            // SAFETY: this function's contract: all these slots hold a `Value`.
            unsafe { self.slot(first.add(i)) };
        }
    }

    /// Visits slots that may hold stale words: a word that is not the address of a live object is skipped.
    ///
    /// # Safety
    /// The slots can be read and written.
    pub unsafe fn stale_slots(&mut self, first: *mut Value, count: usize) {
        for i in 0..count {
            // SAFETY: this function's contract: all these slots are readable.
            unsafe {
                let slot = first.add(i);
                if (*slot).is_heap() && self.is_object((*slot).0 as usize) {
                    self.slot(slot);
                }
            }
        }
    }

    /// Whether this is the address of a live object, or of one that was just moved.
    fn is_object(&self, address: usize) -> bool {
        if address < self.base || address >= self.arenas_end {
            return false;
        }
        // SAFETY: the arenas between these two bounds are committed.
        unsafe {
            live_cell(address, self.current) == Some((address, Kind::Objects))
                || self.purpose == Purpose::Update && moved_cell(address)
        }
    }

    /// Counts native memory of a cell that is being traced like bytes of the heap. In a minor collection, which traces
    /// remembered cells again, the list of young cells with native memory counts it.
    #[inline]
    pub fn holds_outside(&mut self, bytes: usize) {
        if self.purpose == Purpose::Full {
            self.marked_bytes += bytes as u64;
        }
    }

    /// Visits a reference that cannot be rewritten in place: its cell does not move.
    #[inline]
    pub fn value(&mut self, value: Value) {
        if value.is_heap() {
            self.pin_address(value.0 as usize);
            let mut copy = value;
            // SAFETY: `copy` is a slot. A pinned cell does not move, so the new value need not be stored.
            unsafe { self.slot(&mut copy) };
            debug_assert!(self.purpose != Purpose::Update || copy == value);
        }
    }

    /// Like [`value`](Self::value) for `count` consecutive values.
    ///
    /// # Safety
    /// They can be read.
    pub unsafe fn values(&mut self, first: *const Value, count: usize) {
        for i in 0..count {
            // SAFETY: this function's contract: all these words are values.
            self.value(unsafe { *first.add(i) });
        }
    }

    /// Visits a reference, and keeps its cell from moving in this collection.
    #[inline]
    pub fn pinned(&mut self, value: Value) {
        self.value(value);
    }

    /// Visits a buffer. One of values is scanned as a whole.
    #[inline]
    pub fn buffer(&mut self, buffer: Buffer) {
        let address = buffer.address();
        if self.special {
            return self.special_buffer(buffer);
        }
        if address < self.arenas_end {
            self.mark_small_buffer(address);
        } else {
            // SAFETY: the large space outlives the marker, and nothing else uses it during a collection.
            let index = unsafe { (*self.large).extents.index_of(address) };
            self.mark_large(index);
        }
    }

    /// Visits everything to which the words between two addresses may refer, including addresses inside of cells. For
    /// native stacks.
    ///
    /// # Safety
    /// The range can be read.
    #[inline(never)]
    pub unsafe fn conservative(&mut self, low: *const u8, high: *const u8) {
        let mut at = (low as usize).next_multiple_of(8);
        while at + 8 <= high as usize {
            // SAFETY: this function's contract: the words are readable; volatile because they may belong to live
            // frames.
            let word = unsafe { std::ptr::read_volatile(at as *const usize) };
            self.maybe(word);
            at += 8;
        }
    }

    /// Visits the cell or buffer that contains `address`, if there is one.
    #[inline]
    pub fn maybe(&mut self, address: usize) {
        if address.wrapping_sub(self.base) >= self.region_end - self.base {
            return;
        }
        if address < self.arenas_end {
            // SAFETY: the address is between the base and the end of the arenas, which are committed.
            if let Some((cell, kind)) = unsafe { live_cell(address, self.current) } {
                // SAFETY: `live_cell` returned it.
                unsafe { self.found(cell, kind) };
            }
            return;
        }
        // SAFETY: the large space outlives the marker, and nothing else uses it during a collection.
        let large = unsafe { &mut *self.large };
        if let Some(index) = large.extents.find(address) {
            let start = large.get(index).start;
            // SAFETY: the start of a large buffer in use.
            if let Some(buffer) = unsafe { Buffer::from_address(start) } {
                self.buffer(buffer);
            }
        }
    }

    /// Visits a live cell, which is an object or a buffer.
    ///
    /// # Safety
    /// It is the address of a live cell of that kind.
    unsafe fn found(&mut self, cell: usize, kind: Kind) {
        if kind == Kind::Objects {
            return self.value(Value(cell as u64));
        }
        // SAFETY: a live cell that is no object is a buffer.
        if let Some(buffer) = unsafe { Buffer::from_address(cell) } {
            self.buffer(buffer);
        }
    }

    /// Whether this walk must visit stacks that did not run since they were last scanned. Most minor collections need
    /// not, because such stacks refer only to old objects.
    pub fn scans_unchanged(&self) -> bool {
        self.scans_unchanged
    }

    /// Whether no old cell is freed when this walk ends: it is a minor collection, and no full marking is under way.
    pub fn keeps_old(&self) -> bool {
        self.purpose == Purpose::Minor && !self.second.exists()
    }

    /// Whether the collection that this walk is part of certainly keeps the value, because it is old or was visited.
    pub fn keeps(&self, value: Value) -> bool {
        // SAFETY: the caller's words are immediates or objects, which are cells of arenas.
        !value.is_heap() || self.keeps_old() && unsafe { Place::of(value.0 as usize) }.test(self.table)
    }

    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    #[inline]
    pub(crate) fn pin_address(&mut self, address: usize) {
        if self.pinning {
            // SAFETY: references to objects point into arenas.
            unsafe { Place::of(address) }.set(Table::PINNED);
        }
    }

    /// Visits the class of a shape, because an object keeps its class alive. (After a compaction, the owner of the
    /// shapes updates each class once.)
    #[inline(always)]
    pub(crate) fn class_of_shape(&mut self, shape: u32) {
        if shape >= self.first_shape && self.purpose != Purpose::Update {
            // SAFETY: the table has a class for every shape of a live object.
            unsafe { self.slot(self.shape_classes.add(shape as usize)) };
        }
    }

    /// Visits the references of one cell with a header.
    ///
    /// # Safety
    /// `cell` is a live object cell with its fields filled.
    #[inline(always)]
    pub(crate) unsafe fn trace_object(&mut self, cell: *mut u64) {
        // SAFETY: this function's contract: `cell` is a cell, which begins with its header.
        let header = unsafe { *cell };
        self.class_of_shape((header >> 32) as u32);
        if header & abi::Flags::ATTACHED as u64 != 0 {
            self.trace_attachment(cell as usize);
        }
        // The header's type is an index of the table.
        let info = &self.types[(header & abi::Flags::TYPE_MASK as u64) as usize];
        match info.layout {
            Layout::NoReferences => {}
            Layout::AllWords => {
                // SAFETY: the cell is in a described block, and all of its words are values.
                unsafe {
                    let words = (*block_at(cell as usize)).cell_size as usize / 8;
                    self.work += words;
                    self.slots(cell.add(1).cast(), words - 1);
                }
            }
            // SAFETY: a live cell of the function's type.
            Layout::Custom => unsafe { (info.trace)(cell, self) },
        }
    }
}

/// The live cell that `address` points to or into, and its kind. Runs of cursors must have been retired.
///
/// # Safety
/// The address is in a committed arena.
#[inline]
pub(crate) unsafe fn live_cell(address: usize, current: Table) -> Option<(usize, Kind)> {
    // SAFETY: the descriptors of a committed arena are mapped; those of tables and of unused blocks have no cells.
    unsafe {
        let block = block_at(address);
        if (*block).cells == 0 || (*block).kind as u8 > Kind::Bytes as u8 {
            return None;
        }
        let index = (*block).index_of(address);
        if index >= (*block).cells as usize {
            return None;
        }
        let place = Place::of(address);
        (place.test(current) || place.test(Table::YOUNG)).then(|| ((*block).cell(index), (*block).kind))
    }
}

/// Whether there was an object at this address before the compaction that is in progress.
///
/// # Safety
/// The address is in a committed arena.
unsafe fn moved_cell(address: usize) -> bool {
    // SAFETY: the descriptors of a committed arena are mapped; those of tables and of unused blocks have no cells.
    unsafe {
        let block = &*block_at(address);
        block.cells > 0
            && block.kind == Kind::Objects
            && block.index_of(address) < block.cells as usize
            && block.cell(block.index_of(address)) == address
            && Place::of(address).test(Table::SCRATCH)
    }
}
