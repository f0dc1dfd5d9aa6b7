//! The layout of Arrays.
//!
//! ```text
//! header bits  10-11 representation   12-19 embedded length   20-27 capacity of the cell   28 indirect
//!
//! embedded     +--------+----------------------+
//!              | header | elements ...         |   at most EMBED_MAX of them
//!              +--------+----------------------+
//! others       +--------+--------+-------+--------+
//!              | header | length | start | buffer |   start points into the buffer, anywhere
//!              +--------+--------+-------+--------+
//! indirect     +--------+-------+      +--------+-------+--------+
//!              | header |     --------->| length | start | buffer |   outgrew a cell too small for three words
//!              +--------+-------+      +--------+-------+--------+
//! ```
//! Literals take the smallest cell that holds them, from 16 bytes on; one that grows later gets its three words in a
//! small buffer. `[]` and arrays created to grow take 32 bytes. Arrays of up to 63 elements are embedded; longer ones
//! have a buffer, which can be shared.
//!
//! The representations are as for Strings. *Owned*: no other Array refers to the buffer. *Lent*: others see only
//! elements before this Array's end, so that it may push in place. *Shared*: others see the same elements.
//!
//! The sole owner clears slots that it no longer uses to 0, so that their objects can die. The buffer is its own
//! container for the write barrier: it may outlive the Array, and large ones have cards.

use abi::{Type, Value};
use heap::{Buffer, Marker};

use crate::handle::handle;
use crate::payload::{self, Exhausted};
pub use crate::representation::Representation;
use crate::representation::{BUFFER, LEN, REPRESENTATION, START, WORDS, in_cell_or_buffer};
use crate::{Mem, cell};

handle! {
    /// An Array: a value whose cell is known to be of that type.
    Arr, |v| cell::is(v, Type::Array), "an Array"
}

/// The maximum number of elements of an Array; more are `Exhausted::TooBig`.
pub const MAX_LEN: usize = payload::MAX_BYTES / 8;

const EMBEDDED_LEN: u32 = 12;
const CAPACITY: u32 = 20;
const INDIRECT: u32 = 1 << 28;

/// The maximum number of elements in the cell itself: a cell of 512 bytes.
pub(super) const EMBED_MAX: usize = 63;
/// The number of elements that fit the smallest cell of an Array created to grow.
pub(super) const EMBED_SMALL: usize = 3;

/// The layout for generated machine code: bits of the header.
pub mod for_code {
    pub const EMBEDDED_LEN_SHIFT: u64 = super::EMBEDDED_LEN as u64;
    pub const CAPACITY_SHIFT: u64 = super::CAPACITY as u64;
    pub const INDIRECT: u64 = super::INDIRECT as u64;
    /// A literal of more elements is made by the runtime.
    pub const MOST_IN_LINE: usize = 6;

    /// The header of a new Array of `len` elements, and the number of words after it that hold the elements.
    pub fn new(len: usize) -> (abi::Header, usize) {
        let capacity = if len == 0 { super::EMBED_SMALL } else { len };
        (crate::Known::Array.header(super::embedded_flags(len, capacity)), capacity)
    }

    /// The most elements for which the cell of a new empty Array has room.
    pub const MOST_ROOM: usize = 31;

    /// The header of a new empty Array of a shape, whose cell has room for at least `room` elements, and the number of
    /// words for them.
    pub fn empty(shape: abi::ShapeId, room: usize) -> (abi::Header, usize) {
        let capacity = room.clamp(super::EMBED_SMALL, MOST_ROOM);
        (abi::Header::new(abi::Type::Array, shape, super::embedded_flags(0, capacity)), capacity)
    }

    /// If one of these bits is set, an element cannot be stored directly: the Array is frozen, or others see its
    /// elements.
    pub const NOT_WRITABLE: u64 =
        abi::Flags::FROZEN as u64 | (super::Representation::Shared as u64) << super::REPRESENTATION;
}

/// The header of a new embedded Array without its shape.
#[inline(always)]
pub(super) const fn embedded_flags(len: usize, capacity: usize) -> u32 {
    (len as u32) << EMBEDDED_LEN | (capacity as u32) << CAPACITY
}

in_cell_or_buffer!(Arr of Value, EMBEDDED_LEN, |header: abi::Header| header.has(INDIRECT));

impl Arr {
    /// The elements, borrowed from the context. Everything that allocates, changes an object or runs Ruby needs the
    /// context, so none of it happens while the slice is used. Other code reads element by element: [`Arr::iter`],
    /// [`Arr::get`], [`Arr::at`].
    ///
    /// ```compile_fail,E0502
    /// fn changed_meanwhile(cx: &mut object::Mem, list: object::array::Arr) {
    ///     for v in list.elements(cx) {
    ///         let _ = list.push(cx, *v);
    ///     }
    /// }
    /// ```
    /// ```compile_fail
    /// fn kept(cx: &object::Mem, list: object::array::Arr) -> &'static [abi::Value] {
    ///     list.elements(cx)
    /// }
    /// ```
    #[inline(always)]
    pub fn elements(self, _: &Mem) -> &[Value] {
        // SAFETY: the context is borrowed as long as the slice is used, so that nothing changes or frees the elements.
        unsafe { self.unguarded() }
    }

    /// The elements one by one. The Array may change in the meantime: each element is read when its turn comes, and the
    /// iteration ends at the original length, with nil for elements that no longer exist.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator {
        (0..self.len()).map(move |i| self.get(i).unwrap_or(Value::NIL))
    }

    /// The elements in groups of `N`, like `iter`; an incomplete group at the end is omitted.
    pub fn groups<const N: usize>(self) -> impl DoubleEndedIterator<Item = [Value; N]> + ExactSizeIterator {
        (0..self.len() / N).map(move |group| std::array::from_fn(|i| self.get(group * N + i).unwrap_or(Value::NIL)))
    }

    /// Whether this identical value is an element.
    pub fn contains(self, v: Value) -> bool {
        self.iter().any(|element| element == v)
    }

    /// The index of the first element that is this identical value.
    pub fn index_of(self, v: Value) -> Option<usize> {
        self.iter().position(|element| element == v)
    }

    /// The element at an index that counts from the front; `None` beyond the end.
    #[inline(always)]
    pub fn get(self, index: usize) -> Option<Value> {
        let (start, len) = self.span();
        // SAFETY: the index is below the length.
        (index < len).then(|| unsafe { *start.add(index) })
    }

    /// The element at an index below the length. Panics beyond the end.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> Value {
        match self.get(index) {
            Some(v) => v,
            None => panic!("index {index} is beyond the end of an Array"),
        }
    }

    /// The number of elements that fit into the cell, as far as its creator knew; also valid while they are in a
    /// buffer.
    #[inline(always)]
    pub(super) fn embedded_capacity(self) -> usize {
        cell::header(self.0).field(CAPACITY, 8) as usize
    }

    /// Sets the recorded capacity to that of the whole cell, because a literal recorded only the room that it needed.
    /// Returns it.
    pub(super) fn measure_capacity(self) -> usize {
        let capacity = (payload::cell_bytes(self.0) / 8 - 1).min(EMBED_MAX);
        let header = cell::header(self.0);
        cell::set_header(self.0, header.with_field(CAPACITY, 8, capacity as u32));
        capacity
    }

    /// Fills the three words, wherever they are. The Array was just allocated, or already has the words.
    #[inline]
    pub(super) fn set_payload(self, representation: Representation, buffer: Buffer, start: *mut Value, len: usize) {
        self.set_representation(representation);
        self.set_words(buffer, start, len);
    }

    /// Allocates the buffer for the three words if the cell is too small for them, as `adopt` requires. The caller must
    /// do this before any change.
    pub(super) fn room_for_words(self, cx: &mut Mem) -> Result<Option<Buffer>, Exhausted> {
        if self.embedded_capacity() >= EMBED_SMALL {
            return Ok(None);
        }
        if self.is_indirect() {
            return Ok(Some(self.words_buffer()));
        }
        Ok(Some(cx.allocate_buffer(8 * WORDS, heap::BufferKind::Bytes)?))
    }

    /// Gives an Array another payload; the Array may have existed before the last allocation.
    #[inline]
    pub(super) fn adopt(
        self,
        cx: &mut Mem,
        words: Option<Buffer>,
        representation: Representation,
        buffer: Buffer,
        start: *mut Value,
        len: usize,
    ) {
        let header = cell::header(self.0).with_field(EMBEDDED_LEN, 8, 0).without(INDIRECT);
        if let Some(words) = words {
            cell::set_header(self.0, header.with(INDIRECT));
            // SAFETY: the cell has a word after the header.
            unsafe { cell::set_raw(self.0, 1, words.bytes() as u64) };
            cx.barrier_buffer(self.0, words);
        } else {
            cell::set_header(self.0, header);
        }
        self.set_payload(representation, buffer, start, len);
        cx.barrier_buffer(self.0, buffer);
    }

    /// Makes the Array an embedded one without elements, which the caller fills.
    pub(super) fn set_embedded(self) {
        let header = cell::header(self.0);
        let header = header
            .with_field(REPRESENTATION, 2, Representation::Embedded as u32)
            .with_field(EMBEDDED_LEN, 8, 0)
            .without(INDIRECT);
        cell::set_header(self.0, header);
    }

    /// Stores at an address of the payload, which only this Array uses, with the write barrier.
    ///
    /// # Safety
    /// `slot` is in the payload.
    #[inline(always)]
    pub(super) unsafe fn store(self, cx: &mut Mem, slot: *mut Value, v: Value) {
        if self.is_embedded() {
            // SAFETY: by this function's contract the slot is in the cell.
            unsafe { cx.write(self.0, slot, v) }
        } else {
            // SAFETY: by this function's contract the slot is in the buffer.
            unsafe { cx.write_buffer(self.buffer(), slot, v) }
        }
    }

    /// The barrier for the element at `slot`, which was stored without it.
    ///
    /// # Safety
    /// `slot` is that of an element.
    pub unsafe fn stored(self, cx: &mut Mem, slot: *mut Value) {
        // SAFETY: this function's contract: the slot is in the payload.
        unsafe { self.store(cx, slot, *slot) }
    }

    /// Informs the collector that C may have changed any of the elements.
    pub fn changed_outside(self, cx: &mut Mem) {
        let (start, len) = self.span();
        self.written(cx, start, len);
    }

    /// Informs the collector that `len` elements from `slot` on were written without the barrier.
    #[inline(always)]
    pub(super) fn written(self, cx: &mut Mem, slot: *mut Value, len: usize) {
        if self.is_embedded() {
            cx.remember(self.0);
        } else {
            let buffer = self.buffer();
            let from = slot as usize - buffer.bytes() as usize;
            cx.remember_buffer(buffer, from..from + len * 8);
        }
    }
}

/// Tracing of `Type::Array`.
///
/// # Safety
/// `cell` is a live Array.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    let array = Arr(Value::from_cell(cell));
    if array.is_embedded() {
        let (start, len) = array.span();
        // SAFETY: the elements are values in this cell.
        unsafe { marker.slots(start, len) };
    }
    array.trace_payload(marker);
}
