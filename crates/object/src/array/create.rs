//! New Arrays.

use abi::{ShapeId, Value};
use heap::BufferKind;

use super::layout::{Arr, EMBED_MAX, EMBED_SMALL, MAX_LEN, Representation, embedded_flags};
use crate::payload::{self, Exhausted};
use crate::{Known, Mem, cell};

impl Arr {
    /// A new empty Array.
    #[inline]
    pub fn empty(cx: &mut Mem) -> Arr {
        Arr::embedded(cx, &[], EMBED_SMALL)
    }

    /// An Array of these elements in the smallest cell that holds them: for literals, and for results that rarely grow.
    /// The elements may be in registers, locals or any live payload.
    #[inline]
    pub fn new(cx: &mut Mem, elements: &[Value]) -> Result<Arr, Exhausted> {
        let len = elements.len();
        if len == 0 {
            return Ok(Arr::empty(cx));
        }
        if len <= EMBED_MAX {
            return Ok(Arr::embedded(cx, elements, len));
        }
        // SAFETY: a slice of values can be read.
        let buffer = unsafe { payload::copied(cx, BufferKind::Values, elements.as_ptr().cast(), len * 8, len * 8)? };
        Ok(Arr::in_buffer(cx, Representation::Owned, buffer, buffer.bytes().cast(), len))
    }

    /// `[a, b]`, as iterations yield it.
    #[inline]
    pub fn pair(cx: &mut Mem, a: Value, b: Value) -> Arr {
        Arr::embedded(cx, &[a, b], 2)
    }

    /// `[a]`.
    #[inline]
    pub fn single(cx: &mut Mem, a: Value) -> Arr {
        Arr::embedded(cx, &[a], 1)
    }

    /// An empty Array with room for `capacity` elements.
    pub fn with_capacity(cx: &mut Mem, capacity: usize) -> Result<Arr, Exhausted> {
        if capacity <= EMBED_MAX {
            return Ok(Arr::embedded(cx, &[], capacity.max(EMBED_SMALL)));
        }
        if capacity > MAX_LEN {
            return Err(Exhausted::TooBig);
        }
        let buffer = cx.allocate_buffer(capacity * 8, BufferKind::Values)?;
        Ok(Arr::in_buffer(cx, Representation::Owned, buffer, buffer.bytes().cast(), 0))
    }

    /// An empty Array of a shape. Its cell has room for `room` elements, unless they would be too many for a cell.
    pub fn of_shape(cx: &mut Mem, shape: ShapeId, room: usize) -> Arr {
        let room = if room <= EMBED_MAX { room } else { 0 };
        let list = Arr::embedded(cx, &[], room.max(EMBED_SMALL));
        cell::set_header(list.value(), cell::header(list.value()).with_shape(shape));
        list
    }

    /// An Array of at most `len` values from an iterator, which neither allocates nor runs Ruby.
    pub fn collected(cx: &mut Mem, len: usize, values: impl Iterator<Item = Value>) -> Result<Arr, Exhausted> {
        let fits = (1..=EMBED_MAX).contains(&len);
        let array = if fits { Arr::embedded(cx, &[], len) } else { Arr::with_capacity(cx, len)? };
        let (start, _) = array.span();
        let mut count = 0;
        for v in values.take(len) {
            // SAFETY: there is room for `len` elements.
            unsafe { *start.add(count) = v };
            count += 1;
        }
        array.set_len(count);
        array.written(cx, start, count);
        Ok(array)
    }

    /// A copy of class Array whose elements are not shared.
    pub fn copied(self, cx: &mut Mem) -> Result<Arr, Exhausted> {
        // SAFETY: this Array is on the stack, and an allocation changes no Array.
        Arr::new(cx, unsafe { self.unguarded() })
    }

    /// The elements of two Arrays: `+`.
    pub fn plus(self, cx: &mut Mem, other: Arr) -> Result<Arr, Exhausted> {
        // SAFETY: both Arrays are on the stack, and only the new one is changed.
        let parts = unsafe { [self.unguarded(), other.unguarded()] };
        Arr::joined(cx, &parts)
    }

    /// Concatenates the parts, which may be in any live payloads: `+` and similar methods.
    pub fn joined(cx: &mut Mem, parts: &[&[Value]]) -> Result<Arr, Exhausted> {
        let mut len: usize = 0;
        for part in parts {
            len = len.checked_add(part.len()).ok_or(Exhausted::TooBig)?;
        }
        let fits = (1..=EMBED_MAX).contains(&len);
        let array = if fits { Arr::embedded(cx, &[], len) } else { Arr::with_capacity(cx, len)? };
        let (start, _) = array.span();
        let mut at = start;
        for part in parts {
            // SAFETY: there is room for the elements of all parts, none of which is in the new Array.
            unsafe {
                std::ptr::copy_nonoverlapping(part.as_ptr(), at, part.len());
                at = at.add(part.len());
            }
        }
        array.set_len(len);
        array.written(cx, start, len);
        Ok(array)
    }

    /// An Array of `len` elements, all `v`.
    pub fn filled(cx: &mut Mem, len: usize, v: Value) -> Result<Arr, Exhausted> {
        if (1..=EMBED_MAX).contains(&len) {
            let array = Arr::embedded(cx, &[], len);
            // SAFETY: the new cell has room for `len` elements, and needs no barrier.
            unsafe { std::slice::from_raw_parts_mut(array.embedded_start(), len).fill(v) };
            array.set_len(len);
            return Ok(array);
        }
        let array = Arr::with_capacity(cx, len)?;
        array.fill(cx, 0, len, v)?;
        Ok(array)
    }

    /// An Array of these elements in a cell with room for `capacity` (at most `EMBED_MAX`) elements.
    #[inline]
    pub(super) fn embedded(cx: &mut Mem, elements: &[Value], capacity: usize) -> Arr {
        debug_assert!(elements.len() <= capacity && capacity <= EMBED_MAX);
        let flags = embedded_flags(elements.len(), capacity);
        let value = cx.allocate(8 + capacity * 8, Known::Array.header(flags));
        // SAFETY: the cell was allocated as an Array, is new and has room for `capacity` elements.
        unsafe {
            let array = Arr::new_unchecked(value);
            std::ptr::copy_nonoverlapping(elements.as_ptr(), array.embedded_start(), elements.len());
            array
        }
    }

    /// An Array of 32 bytes whose elements are a part of a buffer.
    #[inline]
    pub(super) fn in_buffer(
        cx: &mut Mem,
        representation: Representation,
        buffer: heap::Buffer,
        start: *mut Value,
        len: usize,
    ) -> Arr {
        // The capacity of the cell is kept, because the elements may be embedded later.
        let value = cx.allocate(32, Known::Array.header(embedded_flags(0, EMBED_SMALL)));
        // SAFETY: the cell was allocated as an Array.
        let array = unsafe { Arr::new_unchecked(value) };
        array.set_payload(representation, buffer, start, len);
        array
    }
}
