//! Integers beyond the fixnums: limbs in the cell, or in a buffer if there are many.
//!
//! ```text
//! header bits  10 negative   11 in a buffer   12-18 number of limbs in the cell
//!
//! embedded     +--------+-----------+
//!              | header | limbs ... |   least significant first, at most 127
//!              +--------+-----------+
//! otherwise    +--------+-------+--------+
//!              | header | count | buffer |
//!              +--------+-------+--------+
//! ```

use abi::{Flags, Type, Value};
use heap::{BufferKind, Marker};
use numeric::big::{BigRef, Int, Integer};

use crate::payload::{self, Exhausted};
use crate::{Known, Mem, cell};

const NEGATIVE: u32 = 1 << 10;
const IN_BUFFER: u32 = 1 << 11;
const COUNT: u32 = 12;
const EMBED_MAX: usize = 127;

/// Whether the limbs are in the cell.
pub fn is_embedded(v: Value) -> bool {
    !cell::header(v).has(IN_BUFFER)
}

/// The Integer for a result of arithmetic: a fixnum if it fits.
#[inline]
pub fn integer(cx: &mut Mem, n: Integer) -> Result<Value, Exhausted> {
    match n {
        Integer::Fix(n) => Ok(from_i64(cx, n)),
        Integer::Big(big) => from_limbs(cx, big.negative(), big.limbs()),
    }
}

#[inline]
pub fn from_i64(cx: &mut Mem, n: i64) -> Value {
    match Value::try_fixnum(n) {
        Some(v) => v,
        None => embedded(cx, n < 0, &[n.unsigned_abs()]),
    }
}

#[inline]
pub fn from_u64(cx: &mut Mem, n: u64) -> Value {
    match i64::try_from(n).ok().and_then(Value::try_fixnum) {
        Some(v) => v,
        None => embedded(cx, false, &[n]),
    }
}

pub fn from_i128(cx: &mut Mem, n: i128) -> Value {
    if let Ok(n) = i64::try_from(n) {
        return from_i64(cx, n);
    }
    let magnitude = n.unsigned_abs();
    let limbs = [magnitude as u64, (magnitude >> 64) as u64];
    embedded(cx, n < 0, if limbs[1] == 0 { &limbs[..1] } else { &limbs })
}

/// The Integer with this sign and these limbs.
#[inline]
pub fn from_parts(cx: &mut Mem, n: BigRef) -> Result<Value, Exhausted> {
    let len = n.limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
    match n.limbs[..len] {
        [] => Ok(Value::fixnum(0)),
        [limb] => {
            let limb = i128::from(limb);
            Ok(from_i128(cx, if n.negative { -limb } else { limb }))
        }
        ref limbs => from_limbs(cx, n.negative, limbs),
    }
}

/// The limbs are normalized: no leading zeros, and the number does not fit a fixnum.
fn from_limbs(cx: &mut Mem, negative: bool, limbs: &[u64]) -> Result<Value, Exhausted> {
    if limbs.len() <= EMBED_MAX {
        return Ok(embedded(cx, negative, limbs));
    }
    let bytes = limbs.len() * 8;
    // SAFETY: a slice of limbs can be read.
    let buffer = unsafe { payload::copied(cx, BufferKind::Bytes, limbs.as_ptr().cast(), bytes, bytes)? };
    let v = cx.allocate(24, header(negative, IN_BUFFER));
    // SAFETY: the cell is new and has three words.
    unsafe {
        cell::set_raw(v, 1, limbs.len() as u64);
        cell::set_raw(v, 2, buffer.bytes() as u64);
    }
    Ok(v)
}

fn embedded(cx: &mut Mem, negative: bool, limbs: &[u64]) -> Value {
    debug_assert!(limbs.len() <= EMBED_MAX);
    // Most have one or two limbs: an allocation of a constant size and stores cost less than a copy of any length.
    match *limbs {
        [limb] => {
            let v = cx.allocate(16, header(negative, 1 << COUNT));
            // SAFETY: the cell is new and has two words.
            unsafe { cell::set_raw(v, 1, limb) };
            v
        }
        [low, high] => {
            let v = cx.allocate(24, header(negative, 2 << COUNT));
            // SAFETY: the cell is new and has three words.
            unsafe {
                cell::set_raw(v, 1, low);
                cell::set_raw(v, 2, high);
            }
            v
        }
        _ => {
            let v = cx.allocate(8 + limbs.len() * 8, header(negative, (limbs.len() as u32) << COUNT));
            // SAFETY: the cell is new and has room for the limbs.
            unsafe { std::ptr::copy_nonoverlapping(limbs.as_ptr(), v.cell().add(1), limbs.len()) };
            v
        }
    }
}

fn header(negative: bool, flags: u32) -> abi::Header {
    let sign = if negative { NEGATIVE } else { 0 };
    Known::Integer.header(flags | sign | Flags::FROZEN | Flags::SHAREABLE)
}

/// Whether `v` is a big integer.
#[inline(always)]
pub fn is(v: Value) -> bool {
    cell::is(v, Type::BigInteger)
}

#[inline(always)]
pub fn is_negative(v: Value) -> bool {
    cell::header(v).has(NEGATIVE)
}

/// Sign and limbs of a big integer.
#[inline]
pub fn parts(v: &Value) -> BigRef<'_> {
    debug_assert!(is(*v));
    let header = cell::header(*v);
    // SAFETY: the layout determines the position of the limbs; they never change, and live as long as `v`.
    let limbs = unsafe {
        if header.has(IN_BUFFER) {
            std::slice::from_raw_parts(cell::raw(*v, 2) as *const u64, cell::raw(*v, 1) as usize)
        } else {
            std::slice::from_raw_parts(v.cell().add(1), header.field(COUNT, 7) as usize)
        }
    };
    BigRef { negative: header.has(NEGATIVE), limbs }
}

/// The value of an Integer that fits two words; `None` for others and for what is no Integer.
#[inline(always)]
pub fn to_i128(v: Value) -> Option<i128> {
    if v.is_fixnum() {
        return Some(i128::from(v.fixnum_value()));
    }
    if is(v) { parts(&v).to_i128() } else { None }
}

/// An Integer of any size as an operand; `None` for other values.
#[inline(always)]
pub fn operand(v: &Value) -> Option<Int<'_>> {
    if v.is_fixnum() {
        return Some(Int::Fix(v.fixnum_value()));
    }
    if is(*v) { Some(Int::Big(parts(v))) } else { None }
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

/// Tracing of `Type::BigInteger`.
///
/// # Safety
/// `cell` is a live big integer.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    let v = Value::from_cell(cell);
    if cell::header(v).has(IN_BUFFER) {
        // SAFETY: the word holds the buffer's address.
        marker.buffer(unsafe { payload::buffer_at(cell::raw(v, 2)) });
    }
}
