//! Implicit and explicit conversions, with Ruby's errors.

use abi::{Type, Value};
use object::{Known, Sym, array::Arr, bigint, cell, class, hash::HashRef, string::Str};

use text::{CodeRange, EncodingId};

use crate::{
    Cx, R, Unwind, basic_ops, call,
    call::conversion::{bad_conversion, no_conversion},
    error::{self, ErrorClass, OrRaise},
    sym,
};
pub use crate::{
    call::{
        conversion::{keyword_splat, splat, to_ary, to_hash, to_str, try_ary, try_hash, try_str},
        show::{any_to_s, constant_text, inspect, to_s},
    },
    naming::{string_to_symbol, symbol_encoding},
};

#[inline]
pub fn is_integer(v: Value) -> bool {
    v.is_fixnum() || cell::is(v, Type::BigInteger)
}

#[inline]
pub fn is_float(v: Value) -> bool {
    v.is_flonum() || cell::is(v, Type::Float)
}

/// An Integer (any size), by to_int.
#[inline]
pub fn to_integer(cx: &mut Cx, v: Value) -> R {
    if is_integer(v) {
        return Ok(v);
    }
    if let Some(f) = basic_ops::as_float(v) {
        return float_to_integer(cx, f);
    }
    convert_integer(cx, v)
}

fn convert_integer(cx: &mut Cx, v: Value) -> R {
    match call::send_conversion(cx, v, sym::TO_INT, &[])? {
        Some(converted) if is_integer(converted) => Ok(converted),
        Some(other) => Err(bad_conversion(cx, v, Known::Integer, sym::TO_INT, other)),
        None => Err(no_conversion(cx, v, Known::Integer)),
    }
}

/// 2 to the power of 62: no fixnum is so large.
const FIXNUM_LIMIT: f64 = (1u64 << 62) as f64;

/// Float#to_i; FloatDomainError for NaN and infinities.
pub fn float_to_integer(cx: &mut Cx, f: f64) -> R {
    if (-FIXNUM_LIMIT..FIXNUM_LIMIT).contains(&f) {
        return Ok(Value::fixnum(f as i64));
    }
    if f.is_nan() || f.is_infinite() {
        let text = if f.is_nan() {
            "NaN"
        } else if f > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        };
        return Err(cx.raise(error::ErrorClass::FloatDomainError, text));
    }
    match numeric::big::from_f64(f) {
        Ok(n) => object::bigint::integer(cx, n).or_raise(cx),
        Err(_) => Err(cx.raise(error::ErrorClass::FloatDomainError, "NaN")),
    }
}

/// An Integer that fits 64 bits; RangeError otherwise.
#[inline]
pub fn to_i64(cx: &mut Cx, v: Value) -> R<i64> {
    if v.is_fixnum() {
        return Ok(v.fixnum_value());
    }
    if let Some(f) = basic_ops::as_float(v)
        && !(-9.3e18..9.3e18).contains(&f)
    {
        let shown = text::sprintf::short_float(f);
        return Err(cx.range_error(&format!("float {shown} out of range of integer")));
    }
    if v.is_nil() {
        return Err(cx.type_error("no implicit conversion from nil to integer"));
    }
    let i = to_integer(cx, v)?;
    match bigint::operand(&i).and_then(|n| n.to_i64()) {
        Some(n) => Ok(n),
        None => Err(cx.range_error("bignum too big to convert into 'long'")),
    }
}

/// A 32-bit int: RangeError "integer 4294967296 too big to convert to 'int'".
pub fn to_i32(cx: &mut Cx, v: Value) -> R<i32> {
    let n = to_i64(cx, v)?;
    i32::try_from(n).map_err(|_| {
        let size = if n < 0 { "small" } else { "big" };
        cx.range_error(&format!("integer {n} too {size} to convert to 'int'"))
    })
}

/// A Float, like Float() of numeric arguments: TypeError for other objects.
pub fn to_f64(cx: &mut Cx, v: Value) -> R<f64> {
    if let Some(f) = basic_ops::as_float(v) {
        return Ok(f);
    }
    if is_integer(v) {
        return Ok(bigint::operand(&v).map_or(0.0, numeric::big::to_f64));
    }
    if !class::is_known(cx, v, Known::Numeric) {
        let from = error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("can't convert {from} into Float")));
    }
    let Some(f) = call::send_if_responds(cx, v, sym::TO_F, &[])? else {
        let from = error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("can't convert {from} into Float")));
    };
    float_of(cx, v, f)
}

/// The Float that the `to_f` of `v` has returned; TypeError if it is none.
pub fn float_of(cx: &mut Cx, v: Value, returned: Value) -> R<f64> {
    if let Some(f) = basic_ops::as_float(returned) {
        return Ok(f);
    }
    let (from, got) = (error::describe_for_conversion(cx, v), error::class_name_of(cx, returned));
    Err(cx.type_error(&format!("can't convert {from} into Float ({from}#to_f gives {got})")))
}

/// A symbol from a Symbol or String (to_str); TypeError "1 is not a symbol nor a string".
pub fn to_symbol(cx: &mut Cx, v: Value) -> R<Sym> {
    if let Some(s) = Sym::from_value(v) {
        return Ok(s);
    }
    match try_str(cx, v)? {
        Some(s) => {
            check_name(cx, s)?;
            Ok(string_to_symbol(cx, s))
        }
        None => {
            let shown = call::inspect_text(cx, v)?;
            Err(cx.type_error(&format!("{shown} is not a symbol nor a string")))
        }
    }
}

/// EncodingError "invalid symbol in encoding UTF-8 :…" for a name with invalid bytes.
pub fn check_name(cx: &mut Cx, name: Str) -> R<()> {
    if name.code_range() == CodeRange::Broken && name.encoding().is_ascii_compatible() {
        return Err(invalid_symbol(cx, name));
    }
    Ok(())
}

#[cold]
pub fn invalid_symbol(cx: &mut Cx, s: Str) -> Unwind {
    let mut shown = Vec::new();
    text::inspect::inspect(s.encoding(), s.bytes(cx), EncodingId::UTF_8, &mut shown);
    let message = format!("invalid symbol in encoding {} :{}", s.encoding().name(), memory::lossy_text(&shown));
    cx.raise(ErrorClass::EncodingError, &message)
}

impl crate::Args<'_> {
    /// Argument `i`, which the table row says is required, as a String, converted by to_str; TypeError if that fails.
    pub fn str(&self, cx: &mut Cx, i: usize) -> R<Str> {
        to_str(cx, self.at(i))
    }

    /// The same for an Array and to_ary.
    pub fn arr(&self, cx: &mut Cx, i: usize) -> R<Arr> {
        to_ary(cx, self.at(i))
    }

    /// The same for a Hash and to_hash.
    pub fn hash(&self, cx: &mut Cx, i: usize) -> R<HashRef> {
        to_hash(cx, self.at(i))
    }
}
