//! Reading and writing the words of a cell: the only place where offsets become pointers.

use abi::{Header, Type, Value};

use crate::Mem;

/// The header of a heap cell.
#[inline(always)]
pub fn header(v: Value) -> Header {
    debug_assert!(v.is_heap());
    // SAFETY: a heap value points to a live cell, whose first word is its header.
    unsafe { Header(*v.cell()) }
}

#[inline(always)]
pub fn set_header(v: Value, header: Header) {
    debug_assert!(v.is_heap());
    // SAFETY: a heap value points to a live cell, whose first word is its header; a header holds no reference, so it
    // needs no barrier.
    unsafe { *v.cell() = header.0 }
}

/// Is `v` a heap cell of type `ty`?
#[inline(always)]
pub fn is(v: Value, ty: Type) -> bool {
    v.is_heap() && header(v).is(ty)
}

/// Word `index` (0 is the header) of a cell, as a value.
///
/// # Safety
/// The cell has that many words and this one holds a value.
#[inline(always)]
pub unsafe fn word(v: Value, index: usize) -> Value {
    // SAFETY: by this function's contract the word exists and holds a value.
    unsafe { Value(*v.cell().add(index)) }
}

/// Word `index` as raw bits.
///
/// # Safety
/// The cell has that many words.
#[inline(always)]
pub unsafe fn raw(v: Value, index: usize) -> u64 {
    // SAFETY: by this function's contract the word exists.
    unsafe { *v.cell().add(index) }
}

/// Sets word `index` to bits that are no reference (or initializes a new cell).
///
/// # Safety
/// The cell has that many words; a reference may be stored only before the next allocation after the cell's own.
#[inline(always)]
pub unsafe fn set_raw(v: Value, index: usize, bits: u64) {
    // SAFETY: by this function's contract the word exists.
    unsafe { *v.cell().add(index) = bits }
}

/// Stores a reference with the write barrier.
///
/// # Safety
/// The cell has that many words and this one holds a value.
#[inline(always)]
pub unsafe fn store(cx: &mut Mem, v: Value, index: usize, to: Value) {
    // SAFETY: by this function's contract the word exists and holds a value.
    unsafe { cx.write(v, v.cell().add(index).cast(), to) }
}

#[inline(always)]
pub fn frozen(v: Value) -> bool {
    !v.is_heap() || header(v).has(abi::Flags::FROZEN)
}
