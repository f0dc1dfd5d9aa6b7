//! The layout of Hashes.
//!
//! ```text
//! header bits  10-11 representation   12 by identity   13 default is a proc   14 ruby2_keywords   15 wide level
//!              16-19 places used   20-23 entries   24-31 iteration level (16-31: linear tables)
//!
//! embedded     +--------+-------+-------------------+
//!              | header | hints | key value ...     |   at most 8 entries; no default
//!              +--------+-------+-------------------+
//! linear       +--------+-------+--------+---------+
//!              | header | hints | buffer | default |   buffer of 1, 2, 4 or 8 pairs, 0 where there are none
//!              +--------+-------+--------+---------+
//! indexed      +--------+-------+---------+---------+
//!              | header | index | entries | default |   see `indexed`
//!              +--------+-------+---------+---------+
//! ```
//! `hints` has one byte of each key's hash: a lookup compares all eight at once and reads only the keys that match. A
//! literal gets the cell that holds its entries; `{}` has 32 bytes, enough for one entry.
//!
//! A *position* is an index in insertion order. A deleted entry leaves a hole (key `UNDEF`), so that positions stay
//! valid while a program iterates and deletes. They change only when a new key is added, which is refused during an
//! iteration.

use abi::{Type, Value};
use heap::{Buffer, Marker};

use super::indexed::Table;
use crate::handle::handle;
use crate::payload::{self, Exhausted};
use crate::{Mem, cell};

handle! {
    /// A Hash: a value whose cell is known to be of that type.
    HashRef, |v| cell::is(v, Type::Hash), "a Hash"
}

/// The reason why an operation on a Hash failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// RuntimeError: `can't add a new key into hash during iteration`.
    AddedDuringIteration,
    /// ArgumentError: more entries than a table can have.
    TooBig,
    /// NoMemoryError.
    OutOfMemory,
    /// Only `eql?` can decide whether two keys are equal, and this context cannot call it.
    NeedsRuby,
}

impl From<Exhausted> for Error {
    fn from(exhausted: Exhausted) -> Error {
        match exhausted {
            Exhausted::TooBig => Error::TooBig,
            Exhausted::OutOfMemory => Error::OutOfMemory,
        }
    }
}

impl From<heap::OutOfMemory> for Error {
    fn from(_: heap::OutOfMemory) -> Error {
        Error::OutOfMemory
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Representation {
    Embedded = 0,
    Linear = 1,
    Indexed = 2,
}

/// The maximum number of entries of a linear table.
pub(super) const LINEAR_MAX: usize = 8;

const REPRESENTATION: u32 = 10;
pub(super) const IDENTITY: u32 = 1 << 12;
pub(super) const PROC_DEFAULT: u32 = 1 << 13;
pub(super) const RUBY2_KEYWORDS: u32 = 1 << 14;
pub(super) const WIDE_LEVEL: u32 = 1 << 15;
const USED: u32 = 16;
const LIVE: u32 = 20;
pub(super) const LEVEL: u32 = 24;
pub(super) const LEVEL_BITS: u32 = 8;

pub(super) const HINTS: usize = 1;
const EMBEDDED_PAIRS: usize = 2;
const INDEX: usize = 1;
const BUFFER: usize = 2;
pub(super) const DEFAULT: usize = 3;

/// The layout for generated machine code.
pub mod for_code {
    use super::{HashRef, Representation, Table};
    use abi::Value;

    /// Bits of the header: the representation, the number of places used in a linear table, and whether it is frozen.
    pub const REPRESENTATION: u64 = 3 << super::REPRESENTATION;
    pub const USED: u64 = 15 << super::USED;
    pub const FROZEN: u64 = abi::Flags::FROZEN as u64;
    /// Whether the table compares keys by identity.
    pub const IDENTITY: u64 = super::IDENTITY as u64;
    /// The words of hints and pairs in an embedded table, and in others of the addresses of the index and of the pairs.
    pub const HINTS: usize = super::HINTS;
    pub const EMBEDDED_PAIRS: usize = super::EMBEDDED_PAIRS;
    pub const INDEX: usize = super::INDEX;
    pub const BUFFER: usize = super::BUFFER;
    /// The number of places used in an indexed table: where it is in the index, in bytes; 32 bits.
    pub const INDEX_USED: usize = Table::USED_OFFSET;

    /// A literal of more entries is made by the runtime.
    pub const MOST_IN_LINE: usize = super::LINEAR_MAX;

    /// The header of a new embedded Hash of so many entries, and the number of words after it: hints and pairs. There
    /// is room for at least one entry.
    pub fn literal(entries: usize) -> (abi::Header, usize) {
        let counts = (entries as u32) << super::USED | (entries as u32) << super::LIVE;
        (crate::Known::Hash.header(counts), super::EMBEDDED_PAIRS - 1 + 2 * entries.max(1))
    }

    /// The hints of these keys, which must not be objects; `None` if two of them are equal, or if they are too many for
    /// an embedded Hash.
    pub fn hints_of(mem: &crate::Mem, keys: &[Value]) -> Option<u64> {
        if keys.len() > MOST_IN_LINE {
            return None;
        }
        let mut pairs = [Value::NIL; 2 * MOST_IN_LINE];
        keys.iter().zip(pairs.iter_mut().step_by(2)).for_each(|(key, place)| *place = *key);
        crate::hash::lookup::hints_of(mem, &pairs[..2 * keys.len()])
    }

    /// Where a Hash has a key: the representation of its table, and the position.
    #[derive(Clone, Copy)]
    pub struct KeyPlace {
        representation: Representation,
        position: usize,
    }

    /// The place of a key that is compared by identity; `None` if the Hash does not have it at one of its first places.
    pub fn place_of(table: HashRef, key: Value) -> Option<KeyPlace> {
        const MOST: usize = 32;
        let representation = table.representation();
        let is_indexed = table.is_indexed();
        let key_at = |at| if is_indexed { table.table().key(at) } else { table.linear_key(at) };
        let position = (0..table.used().min(MOST)).find(|at| key_at(*at) == key)?;
        Some(KeyPlace { representation, position })
    }

    impl KeyPlace {
        /// The bits of [`REPRESENTATION`].
        pub fn representation(self) -> u64 {
            (self.representation as u64) << super::REPRESENTATION
        }

        pub fn is_embedded(self) -> bool {
            self.representation == Representation::Embedded
        }

        pub fn is_indexed(self) -> bool {
            self.representation == Representation::Indexed
        }

        /// The number of places before it, as it is compared with the number of those used.
        pub fn used_before(self) -> u64 {
            if self.is_indexed() { self.position as u64 } else { (self.position as u64) << super::USED }
        }

        /// The value there in a Hash for which [`place_of`] returned the place, and which has not changed since.
        pub fn value_in(self, table: HashRef) -> Value {
            table.value_at(self.position)
        }

        /// The words of key and value among the pairs.
        pub fn key_word(self) -> usize {
            2 * self.position
        }

        pub fn value_word(self) -> usize {
            2 * self.position + 1
        }
    }
}

impl HashRef {
    #[inline(always)]
    pub fn representation(self) -> Representation {
        match cell::header(self.0).field(REPRESENTATION, 2) {
            0 => Representation::Embedded,
            1 => Representation::Linear,
            _ => Representation::Indexed,
        }
    }

    #[inline(always)]
    pub(super) fn is_indexed(self) -> bool {
        self.representation() == Representation::Indexed
    }

    /// The number of entries.
    #[inline(always)]
    pub fn len(self) -> usize {
        if self.is_indexed() { self.table().live() } else { cell::header(self.0).field(LIVE, 4) as usize }
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The number of positions that were ever used, including holes.
    #[inline(always)]
    pub(super) fn used(self) -> usize {
        if self.is_indexed() { self.table().used() } else { self.linear_used() }
    }

    #[inline(always)]
    pub(super) fn linear_used(self) -> usize {
        cell::header(self.0).field(USED, 4) as usize
    }

    #[inline(always)]
    pub(super) fn set_linear_counts(self, used: usize, live: usize) {
        let header = cell::header(self.0);
        cell::set_header(self.0, header.with_field(USED, 4, used as u32).with_field(LIVE, 4, live as u32));
    }

    #[inline(always)]
    pub fn is_by_identity(self) -> bool {
        cell::header(self.0).has(IDENTITY)
    }

    /// Whether a `ruby2_keywords` method flagged it as made from keyword arguments.
    pub fn is_ruby2_keywords(self) -> bool {
        cell::header(self.0).has(RUBY2_KEYWORDS)
    }

    pub fn set_ruby2_keywords(self, set: bool) {
        let header = cell::header(self.0);
        let header = if set { header.with(RUBY2_KEYWORDS) } else { header.without(RUBY2_KEYWORDS) };
        cell::set_header(self.0, header);
    }

    #[inline(always)]
    pub(super) fn hints(self) -> u64 {
        // SAFETY: both linear tables have that word.
        unsafe { cell::raw(self.0, HINTS) }
    }

    #[inline(always)]
    pub(super) fn set_hints(self, hints: u64) {
        // SAFETY: both linear tables have that word, and hints are no reference.
        unsafe { cell::set_raw(self.0, HINTS, hints) }
    }

    /// The address of a linear table's pairs; null if it has none.
    #[inline(always)]
    pub(super) fn pairs(self) -> *mut Value {
        debug_assert!(!self.is_indexed());
        if self.representation() == Representation::Embedded {
            self.0.cell().wrapping_add(EMBEDDED_PAIRS).cast()
        } else {
            // SAFETY: the word is there.
            unsafe { cell::raw(self.0, BUFFER) as *mut Value }
        }
    }

    /// The number of pairs that fit into a linear table.
    pub(super) fn linear_capacity(self, cx: &Mem) -> usize {
        let bytes = match self.representation() {
            Representation::Embedded => payload::cell_bytes(self.0) - EMBEDDED_PAIRS * 8,
            _ => self.buffer().map_or(0, |buffer| cx.buffer_size(buffer)),
        };
        (bytes / 16).min(LINEAR_MAX)
    }

    /// The buffer of pairs or entries of a table that is not embedded.
    #[inline(always)]
    pub(super) fn buffer(self) -> Option<Buffer> {
        debug_assert!(self.representation() != Representation::Embedded);
        // SAFETY: the word holds a buffer's address or 0.
        unsafe { Buffer::from_address(cell::raw(self.0, BUFFER) as usize) }
    }

    #[inline(always)]
    pub(super) fn index_buffer(self) -> Buffer {
        debug_assert!(self.is_indexed());
        // SAFETY: an indexed table has its index's address there.
        unsafe { payload::buffer_at(cell::raw(self.0, INDEX)) }
    }

    #[inline(always)]
    pub(super) fn table(self) -> Table {
        debug_assert!(self.is_indexed());
        // SAFETY: an indexed table has index and entries.
        unsafe { Table::new(self.index_buffer(), payload::buffer_at(cell::raw(self.0, BUFFER))) }
    }

    /// Makes it a linear table with or without a buffer. The default stays, or becomes `nil` if the table was embedded.
    /// The caller sets the counts.
    pub(super) fn adopt_linear(self, cx: &mut Mem, hints: u64, buffer: Option<Buffer>) {
        self.leave_embedded();
        self.set_representation(Representation::Linear);
        // SAFETY: every Hash has four words.
        unsafe {
            cell::set_raw(self.0, HINTS, hints);
            cell::set_raw(self.0, BUFFER, buffer.map_or(0, |buffer| buffer.address() as u64));
        }
        if let Some(buffer) = buffer {
            cx.barrier_buffer(self.0, buffer);
        }
    }

    /// Makes it an indexed table. The default stays, or becomes `nil` if the table was embedded.
    pub(super) fn adopt_indexed(self, cx: &mut Mem, index: Buffer, entries: Buffer) {
        self.leave_embedded();
        self.set_representation(Representation::Indexed);
        self.set_linear_counts(0, 0);
        // SAFETY: every Hash has four words.
        unsafe {
            cell::set_raw(self.0, INDEX, index.address() as u64);
            cell::set_raw(self.0, BUFFER, entries.address() as u64);
        }
        cx.barrier_buffer(self.0, index);
        cx.barrier_buffer(self.0, entries);
    }

    fn leave_embedded(self) {
        if self.representation() == Representation::Embedded {
            // SAFETY: every Hash has four words; `nil` is no reference.
            unsafe { cell::set_raw(self.0, DEFAULT, Value::NIL.0) };
        }
    }

    fn set_representation(self, representation: Representation) {
        let header = cell::header(self.0);
        cell::set_header(self.0, header.with_field(REPRESENTATION, 2, representation as u32));
    }

    /// Stores into a pair of this Hash with the barrier.
    ///
    /// # Safety
    /// `slot` is in the pairs or entries of this Hash.
    #[inline(always)]
    pub(super) unsafe fn store_slot(self, cx: &mut Mem, slot: *mut Value, v: Value) {
        // SAFETY: by this function's contract the slot belongs to this Hash; if it is not in the cell, it is in the
        // buffer.
        unsafe {
            if self.representation() == Representation::Embedded {
                cx.write(self.0, slot, v);
            } else {
                cx.write_buffer(payload::buffer_at(cell::raw(self.0, BUFFER)), slot, v);
            }
        }
    }

    /// The bytes of the heap that this Hash uses.
    pub fn memory_size(self, cx: &Mem) -> usize {
        let mut bytes = payload::cell_bytes(self.0);
        if self.representation() != Representation::Embedded {
            bytes += self.buffer().map_or(0, |buffer| cx.buffer_size(buffer));
        }
        if self.is_indexed() {
            bytes += cx.buffer_size(self.index_buffer());
        }
        bytes
    }
}

/// Tracing of `Type::Hash`.
///
/// Keys compared by identity are hashed by address, so they must not move.
///
/// # Safety
/// `cell` is a live Hash.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    let hash = HashRef(Value::from_cell(cell));
    if hash.is_by_identity() {
        for (key, _) in hash.entries() {
            marker.pinned(key);
        }
    }
    if hash.representation() == Representation::Embedded {
        // SAFETY: pairs up to the places used are values in this cell.
        unsafe { marker.slots(hash.pairs(), hash.linear_used() * 2) };
        return;
    }
    if hash.is_indexed() {
        marker.buffer(hash.index_buffer());
    }
    if let Some(buffer) = hash.buffer() {
        marker.buffer(buffer);
    }
    // SAFETY: the word of the default is a value in this cell.
    unsafe { marker.slot(cell.add(DEFAULT).cast()) };
}
