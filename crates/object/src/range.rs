//! Ranges: two ends in a cell of 24 bytes. Header bit 10: the end is excluded; bit 11: the ends are not set yet.
//!
//! ```text
//! +--------+-------+-----+
//! | header | begin | end |
//! +--------+-------+-----+
//! ```
//! All words are values, also in larger cells (of a subclass with instance variables).

use abi::{Flags, Header, Type, Value};

use crate::{Known, Mem, cell};

/// The bit of the header.
pub const EXCLUSIVE: u32 = 1 << Flags::TYPE_SHIFT;

/// The bit of a Range that `allocate` made and `initialize` has not set yet.
const UNSET: u32 = 1 << (Flags::TYPE_SHIFT + 1);

/// A frozen Range of class Range.
#[inline]
pub fn new(cx: &mut Mem, begin: Value, end: Value, exclusive: bool) -> Value {
    let v = cx.allocate(24, header(exclusive));
    // SAFETY: the cell is new, so that its stores need no barrier, and has three words.
    unsafe {
        cell::set_raw(v, 1, begin.0);
        cell::set_raw(v, 2, end.0);
    }
    v
}

/// The header of a frozen Range of class Range; its ends are the words behind it.
pub const fn header(exclusive: bool) -> Header {
    Known::Range.header(if exclusive { Flags::FROZEN | EXCLUSIVE } else { Flags::FROZEN })
}

/// A Range whose ends are not set yet (`nil..nil`), of class Range, not frozen.
pub fn allocate(cx: &mut Mem) -> Value {
    let v = cx.allocate(24, Known::Range.header(UNSET));
    // SAFETY: the cell is new and has three words.
    unsafe {
        cell::set_raw(v, 1, Value::NIL.0);
        cell::set_raw(v, 2, Value::NIL.0);
    }
    v
}

/// Sets the ends.
pub fn initialize(cx: &mut Mem, v: Value, begin: Value, end: Value, exclusive: bool) {
    debug_assert!(cell::is(v, Type::Range));
    let header = cell::header(v).without(UNSET);
    cell::set_header(v, if exclusive { header.with(EXCLUSIVE) } else { header.without(EXCLUSIVE) });
    // SAFETY: a Range has three words.
    unsafe {
        cell::store(cx, v, 1, begin);
        cell::store(cx, v, 2, end);
    }
}

#[inline(always)]
pub fn begin(v: Value) -> Value {
    debug_assert!(cell::is(v, Type::Range));
    // SAFETY: a Range has three words.
    unsafe { cell::word(v, 1) }
}

#[inline(always)]
pub fn end(v: Value) -> Value {
    debug_assert!(cell::is(v, Type::Range));
    // SAFETY: a Range has three words.
    unsafe { cell::word(v, 2) }
}

/// Whether its ends were set.
pub fn is_initialized(v: Value) -> bool {
    !cell::header(v).has(UNSET)
}

#[inline(always)]
pub fn is_exclusive(v: Value) -> bool {
    cell::header(v).has(EXCLUSIVE)
}
