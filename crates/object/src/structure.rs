//! Instances of Struct and Data classes: their members in the cell, or in a buffer if there are many.
//!
//! ```text
//! header bits  10 in a buffer   12-18 number of members in the cell
//!
//! embedded     +--------+-------------+
//!              | header | members ... |   at most 127
//!              +--------+-------------+
//! otherwise    +--------+-------+--------+
//!              | header | count | buffer |
//!              +--------+-------+--------+
//! ```
//! The number is fixed when the instance is created.

use abi::{Flags, Header, ShapeId, Type, Value};
use heap::{BufferKind, Marker};

use crate::payload::{self, Exhausted};
use crate::{Mem, cell};

const IN_BUFFER: u32 = 1 << 10;
const COUNT: u32 = 12;
const EMBED_MAX: usize = 127;

/// An instance with these members, of the class of the shape.
#[inline]
pub fn new(cx: &mut Mem, shape: ShapeId, members: &[Value]) -> Result<Value, Exhausted> {
    let v = allocate(cx, shape, members.len())?;
    let (start, len) = span(v);
    // SAFETY: there is room for as many members.
    unsafe { std::ptr::copy_nonoverlapping(members.as_ptr(), start, len) };
    if cell::header(v).has(IN_BUFFER) {
        // SAFETY: the word holds the buffer's address.
        cx.remember_buffer(unsafe { payload::buffer_at(cell::raw(v, 2)) }, 0..len * 8);
    }
    Ok(v)
}

/// An instance with `count` members, all `nil`.
#[inline]
pub fn allocate(cx: &mut Mem, shape: ShapeId, count: usize) -> Result<Value, Exhausted> {
    let v = if count <= EMBED_MAX {
        cx.allocate(8 + count * 8, header(shape, count, 0))
    } else {
        if count > payload::MAX_BYTES / 8 {
            return Err(Exhausted::TooBig);
        }
        let buffer = cx.allocate_buffer(count * 8, BufferKind::Values)?;
        let v = cx.allocate(24, Header::new(Type::Struct, shape, IN_BUFFER));
        // SAFETY: the cell is new and has three words.
        unsafe {
            cell::set_raw(v, 1, count as u64);
            cell::set_raw(v, 2, buffer.bytes() as u64);
        }
        v
    };
    let (start, len) = span(v);
    // SAFETY: there is room for as many members; `nil` is an immediate.
    unsafe { std::slice::from_raw_parts_mut(start, len).fill(Value::NIL) };
    Ok(v)
}

/// The header of an instance with `count` members, at most 127, which are the words behind it.
#[inline(always)]
pub fn header(shape: ShapeId, count: usize, flags: u32) -> Header {
    Header::new(Type::Struct, shape, (count as u32) << COUNT | flags)
}

#[inline(always)]
fn span(v: Value) -> (*mut Value, usize) {
    debug_assert!(cell::is(v, Type::Struct));
    let header = cell::header(v);
    if header.has(IN_BUFFER) {
        // SAFETY: these words hold address and count.
        unsafe { (cell::raw(v, 2) as *mut Value, cell::raw(v, 1) as usize) }
    } else {
        (v.cell().wrapping_add(1).cast(), header.field(COUNT, 7) as usize)
    }
}

/// Whether the members are in the cell.
pub fn is_embedded(v: Value) -> bool {
    !cell::header(v).has(IN_BUFFER)
}

/// The members; valid while none of them is set.
#[inline(always)]
pub fn members(v: &Value) -> &[Value] {
    let (start, len) = span(*v);
    // SAFETY: `span` returns where the members are.
    unsafe { std::slice::from_raw_parts(start, len) }
}

/// Member `index`, `None` if it is out of range.
#[inline(always)]
pub fn get(v: Value, index: usize) -> Option<Value> {
    members(&v).get(index).copied()
}

/// The word of the cell that has member `index`, in `v` and all other instances of its class; `None` if they have their
/// members in buffers, or not as many.
pub fn word_of(v: Value, index: usize) -> Option<u16> {
    let is_in_cell = cell::is(v, Type::Struct) && !cell::header(v).has(IN_BUFFER) && index < members(&v).len();
    is_in_cell.then_some(index as u16 + 1)
}

/// Sets member `index`; `false` if it is out of range.
#[inline]
pub fn set(cx: &mut Mem, v: Value, index: usize, to: Value) -> bool {
    let (start, len) = span(v);
    if index >= len {
        return false;
    }
    let slot = start.wrapping_add(index);
    // SAFETY: the slot is in the cell, or in the buffer whose address the word holds.
    unsafe {
        if cell::header(v).has(IN_BUFFER) {
            cx.write_buffer(payload::buffer_at(cell::raw(v, 2)), slot, to);
        } else {
            cx.write(v, slot, to);
        }
    }
    true
}

/// A copy with the same class and members, not frozen.
pub fn dup(cx: &mut Mem, v: Value) -> Result<Value, Exhausted> {
    let shape = cell::header(v).shape();
    new(cx, shape, members(&v))
}

/// The bytes of the heap that it uses.
pub fn memory_size(cx: &Mem, v: Value) -> usize {
    let buffer = if cell::header(v).has(IN_BUFFER) {
        // SAFETY: the word holds the buffer's address.
        cx.buffer_size(unsafe { payload::buffer_at(cell::raw(v, 2)) })
    } else {
        0
    };
    payload::cell_bytes(v) + buffer
}

/// Tracing of `Type::Struct`.
///
/// # Safety
/// `cell` is a live instance.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    let v = Value::from_cell(cell);
    if cell::header(v).has(IN_BUFFER) {
        // SAFETY: the word holds the buffer's address.
        marker.buffer(unsafe { payload::buffer_at(cell::raw(v, 2)) });
    } else {
        let (start, len) = span(v);
        // SAFETY: the members are values in this cell.
        unsafe { marker.slots(start, len) };
    }
}

const _: () = assert!(Flags::TYPE_SHIFT == 10);
