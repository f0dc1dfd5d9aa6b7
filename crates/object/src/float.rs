//! Floats: immediates if the exponent allows, otherwise boxed in a cell of 16 bytes.
//!
//! ```text
//! +--------+--------+
//! | header | double |
//! +--------+--------+
//! ```

use abi::{Flags, Header, Type, Value};

use crate::{Known, Mem, cell};

#[inline]
pub fn new(cx: &mut Mem, f: f64) -> Value {
    match Value::try_flonum(f) {
        Some(v) => v,
        None => boxed(cx, f),
    }
}

/// The header of a Float object; the double's bits are the word behind it.
pub const HEADER: Header = Known::Float.header(Flags::FROZEN | Flags::SHAREABLE);

#[inline(never)]
fn boxed(cx: &mut Mem, f: f64) -> Value {
    let v = cx.allocate(16, HEADER);
    // SAFETY: the cell has two words; a double is no reference.
    unsafe { cell::set_raw(v, 1, f.to_bits()) };
    v
}

/// Whether `v` is a Float, immediate or boxed.
#[inline(always)]
pub fn is(v: Value) -> bool {
    v.is_flonum() || cell::is(v, Type::Float)
}

/// The number of a Float.
#[inline(always)]
pub fn value(v: Value) -> f64 {
    debug_assert!(is(v));
    if v.is_flonum() {
        v.flonum_value()
    } else {
        // SAFETY: a Float that is not immediate has its double there.
        f64::from_bits(unsafe { cell::raw(v, 1) })
    }
}

/// The number, if `v` is a Float.
#[inline(always)]
pub fn get(v: Value) -> Option<f64> {
    if is(v) { Some(value(v)) } else { None }
}
