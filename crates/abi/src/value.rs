//! The 64-bit tagged word that holds any Ruby value.
//!
//! ```text
//! ...xxxxxxx1  fixnum, 63 bits signed
//! ...xxxxxx10  flonum, a double whose exponent is near zero
//! ...00001100  static symbol, its number in the upper 56 bits
//! ...xxxxx000  pointer to a heap cell (never null)
//! 0x00 false   0x04 nil   0x14 true   0x24 undef (never seen by a program)
//! ```

use std::fmt;

/// Any Ruby value: an immediate or a pointer to a cell of the collected heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Value(pub u64);

impl Value {
    pub const FALSE: Value = Value(0x00);
    pub const NIL: Value = Value(0x04);
    pub const TRUE: Value = Value(0x14);
    /// "No value here": an argument that was not given, a hole in a table, an undefined method.
    pub const UNDEF: Value = Value(0x24);

    pub const FIXNUM_MAX: i64 = (1 << 62) - 1;
    pub const FIXNUM_MIN: i64 = -(1 << 62);

    /// The lower byte of symbols that are immediates.
    pub const SYMBOL_TAG: u64 = 0x0c;
    const FLONUM_ZERO: u64 = 0x8000_0000_0000_0002;

    /// Everything but `nil` and `false`.
    #[inline(always)]
    pub const fn truthy(self) -> bool {
        self.0 & !0x04 != 0
    }

    #[inline(always)]
    pub const fn bool(b: bool) -> Value {
        if b { Value::TRUE } else { Value::FALSE }
    }

    #[inline(always)]
    pub const fn is_nil(self) -> bool {
        self.0 == Value::NIL.0
    }

    #[inline(always)]
    pub const fn is_undef(self) -> bool {
        self.0 == Value::UNDEF.0
    }

    /// Replaces `undef` ("not given") by `other`.
    #[inline(always)]
    pub const fn or(self, other: Value) -> Value {
        if self.is_undef() { other } else { self }
    }

    /// `None` for `undef`.
    #[inline(always)]
    pub const fn given(self) -> Option<Value> {
        if self.is_undef() { None } else { Some(self) }
    }

    /// Is the value a pointer to a heap cell?
    #[inline(always)]
    pub const fn is_heap(self) -> bool {
        // Tests "aligned and not 0" in one comparison: the rotation makes the low bits the highest, and the subtraction
        // makes 0 the greatest number. Addresses of a process are below 2^63.
        self.0.rotate_right(3).wrapping_sub(1) >> 60 == 0
    }

    #[inline(always)]
    pub const fn is_immediate(self) -> bool {
        !self.is_heap()
    }

    /// Is the value an immediate that is `eql?` only to itself? This holds for all immediates but Floats, because 0.0
    /// also exists as a cell.
    #[inline(always)]
    pub const fn is_word(self) -> bool {
        self.is_immediate() && !self.is_flonum()
    }

    // Fixnums

    #[inline(always)]
    pub const fn is_fixnum(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether both are fixnums: one test for a binary operation.
    #[inline(always)]
    pub const fn both_fixnum(self, other: Value) -> bool {
        self.0 & other.0 & 1 != 0
    }

    /// The fixnum of `n`, which must fit 63 bits.
    #[inline(always)]
    pub const fn fixnum(n: i64) -> Value {
        debug_assert!(n >= Value::FIXNUM_MIN && n <= Value::FIXNUM_MAX);
        Value(((n as u64) << 1) | 1)
    }

    /// `None` when `n` needs a big integer.
    #[inline(always)]
    pub const fn try_fixnum(n: i64) -> Option<Value> {
        if n >= Value::FIXNUM_MIN && n <= Value::FIXNUM_MAX { Some(Value(((n as u64) << 1) | 1)) } else { None }
    }

    #[inline(always)]
    pub const fn as_fixnum(self) -> Option<i64> {
        if self.is_fixnum() { Some(self.0 as i64 >> 1) } else { None }
    }

    /// The number of a value known to be a fixnum.
    #[inline(always)]
    pub const fn fixnum_value(self) -> i64 {
        debug_assert!(self.is_fixnum());
        self.0 as i64 >> 1
    }

    // Flonums: the exponent's top bits of most doubles are 011 or 100. Rotated to the bottom, they make room for the
    // tag.

    #[inline(always)]
    pub const fn is_flonum(self) -> bool {
        self.0 & 3 == 2
    }

    /// The immediate form of `f`, or `None` when it needs a box.
    #[inline(always)]
    pub const fn try_flonum(f: f64) -> Option<Value> {
        let bits = f.to_bits();
        let top = (bits >> 60) & 7;
        if bits != 0x3000_0000_0000_0000 && (top == 3 || top == 4) {
            Some(Value((bits.rotate_left(3) & !3) | 2))
        } else if bits == 0 {
            Some(Value(Value::FLONUM_ZERO))
        } else {
            None
        }
    }

    /// The number of a value known to be a flonum.
    #[inline(always)]
    pub const fn flonum_value(self) -> f64 {
        debug_assert!(self.is_flonum());
        if self.0 == Value::FLONUM_ZERO {
            return 0.0;
        }
        let b63 = self.0 >> 63;
        f64::from_bits(((2 - b63) | (self.0 & !3)).rotate_right(3))
    }

    // Static symbols

    #[inline(always)]
    pub const fn is_static_symbol(self) -> bool {
        self.0 & 0xff == Value::SYMBOL_TAG
    }

    #[inline(always)]
    pub const fn static_symbol(number: u32) -> Value {
        Value(((number as u64) << 8) | Value::SYMBOL_TAG)
    }

    #[inline(always)]
    pub const fn static_symbol_number(self) -> u32 {
        debug_assert!(self.is_static_symbol());
        (self.0 >> 8) as u32
    }

    // Heap cells

    #[inline(always)]
    pub fn from_cell(cell: *const u64) -> Value {
        debug_assert!(!cell.is_null() && cell as u64 & 7 == 0);
        Value(cell as u64)
    }

    /// The address of the cell; meaningful only if `is_heap`.
    #[inline(always)]
    pub const fn cell(self) -> *mut u64 {
        self.0 as *mut u64
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::FALSE => f.write_str("false"),
            Value::NIL => f.write_str("nil"),
            Value::TRUE => f.write_str("true"),
            Value::UNDEF => f.write_str("undef"),
            v if v.is_fixnum() => write!(f, "{}", v.fixnum_value()),
            v if v.is_flonum() => write!(f, "{:?}", v.flonum_value()),
            v if v.is_static_symbol() => write!(f, "symbol#{}", v.static_symbol_number()),
            v => write!(f, "cell {:#x}", v.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixnums_keep_63_bits() {
        for n in [0, 1, -1, Value::FIXNUM_MAX, Value::FIXNUM_MIN] {
            assert_eq!(Value::try_fixnum(n).unwrap().as_fixnum(), Some(n));
        }
        assert_eq!(Value::try_fixnum(Value::FIXNUM_MAX + 1), None);
        assert_eq!(Value::try_fixnum(Value::FIXNUM_MIN - 1), None);
    }

    #[test]
    fn flonums_keep_every_bit() {
        for f in [0.0, 1.0, -1.0, 0.1, 1e70, -1e-70, std::f64::consts::PI] {
            let v = Value::try_flonum(f).unwrap();
            assert!(v.is_flonum() && !v.is_fixnum() && !v.is_heap());
            assert_eq!(v.flonum_value().to_bits(), f.to_bits());
        }
        for f in [-0.0, 1e300, f64::NAN, f64::INFINITY, 1e-300] {
            assert_eq!(Value::try_flonum(f), None, "{f}");
        }
    }

    #[test]
    fn immediates_are_told_apart() {
        assert!(!Value::NIL.truthy() && !Value::FALSE.truthy() && Value::TRUE.truthy());
        assert!(Value::static_symbol(0).truthy() && Value::static_symbol(7).is_static_symbol());
        assert!([Value::NIL, Value::TRUE, Value::FALSE, Value::UNDEF].iter().all(|v| v.is_immediate()));
    }
}
