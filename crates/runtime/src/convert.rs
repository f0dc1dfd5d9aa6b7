//! Implicit and explicit conversions, with Ruby's errors.

use abi::{Type, Value};
use object::{Known, Sym, array::Arr, bigint, cell, class, hash::HashRef, string::Str, symbol};
use text::encoding::EncodingId;

use crate::{Cx, R, basic_ops, call, error, make::OrRaise, sym};

/// Converts `v` to a `wanted` by calling `method`; TypeError if `v` does not respond or the result has another class.
fn convert(cx: &mut Cx, v: Value, wanted: Known, method: Sym) -> R {
    match call::send_conversion(cx, v, method, &[])? {
        Some(converted) if class::is_known(cx, converted, wanted) => Ok(converted),
        Some(other) => Err(bad_conversion(cx, v, wanted, method, other)),
        None => Err(no_conversion(cx, v, wanted)),
    }
}

#[cold]
fn no_conversion(cx: &mut Cx, v: Value, wanted: Known) -> crate::Unwind {
    let from = error::describe_for_conversion(cx, v);
    cx.type_error(&format!("no implicit conversion of {from} into {}", wanted.ruby_name()))
}

#[cold]
fn bad_conversion(cx: &mut Cx, v: Value, wanted: Known, method: Sym, got: Value) -> crate::Unwind {
    let (from, to, method, got) =
        (error::describe_for_conversion(cx, v), wanted.ruby_name(), method.to_text(cx), error::class_name_of(cx, got));
    cx.type_error(&format!("can't convert {from} to {to} ({from}#{method} gives {got})"))
}

/// Like `convert`, but nil if `v` does not respond or returns nil.
fn try_convert(cx: &mut Cx, v: Value, wanted: Known, method: Sym) -> R<Option<Value>> {
    match call::send_conversion(cx, v, method, &[])? {
        None => Ok(None),
        Some(converted) if converted.is_nil() => Ok(None),
        Some(converted) if class::is_known(cx, converted, wanted) => Ok(Some(converted)),
        Some(other) => Err(bad_conversion(cx, v, wanted, method, other)),
    }
}

/// A String, by to_str.
#[inline]
pub fn to_str(cx: &mut Cx, v: Value) -> R<Str> {
    match Str::from_value(v) {
        Some(s) => Ok(s),
        None => convert(cx, v, Known::String, sym::TO_STR).map(Str::of),
    }
}

/// The same; `None` if `v` has no to_str or it returns nil.
#[inline]
pub fn try_str(cx: &mut Cx, v: Value) -> R<Option<Str>> {
    match Str::from_value(v) {
        Some(s) => Ok(Some(s)),
        None => Ok(try_convert(cx, v, Known::String, sym::TO_STR)?.map(Str::of)),
    }
}

/// An Array, by to_ary.
#[inline]
pub fn to_ary(cx: &mut Cx, v: Value) -> R<Arr> {
    match Arr::from_value(v) {
        Some(list) => Ok(list),
        None => convert(cx, v, Known::Array, sym::TO_ARY).map(Arr::of),
    }
}

/// The same; `None` if `v` has no to_ary or it returns nil.
#[inline]
pub fn try_ary(cx: &mut Cx, v: Value) -> R<Option<Arr>> {
    match Arr::from_value(v) {
        Some(list) => Ok(Some(list)),
        None => Ok(try_convert(cx, v, Known::Array, sym::TO_ARY)?.map(Arr::of)),
    }
}

/// `**v`: nil is an empty hash.
pub fn keyword_splat(cx: &mut Cx, v: Value) -> R<HashRef> {
    if v.is_nil() { Ok(HashRef::new(cx)) } else { to_hash(cx, v) }
}

/// A Hash, by to_hash.
#[inline]
pub fn to_hash(cx: &mut Cx, v: Value) -> R<HashRef> {
    match HashRef::from_value(v) {
        Some(table) => Ok(table),
        None => convert(cx, v, Known::Hash, sym::TO_HASH).map(HashRef::of),
    }
}

/// The same; `None` if `v` has no to_hash or it returns nil.
#[inline]
pub fn try_hash(cx: &mut Cx, v: Value) -> R<Option<HashRef>> {
    match HashRef::from_value(v) {
        Some(table) => Ok(Some(table)),
        None => Ok(try_convert(cx, v, Known::Hash, sym::TO_HASH)?.map(HashRef::of)),
    }
}

/// An Array for a splat: the result of to_a if it responds, otherwise `[v]`.
pub fn splat(cx: &mut Cx, v: Value) -> R<Arr> {
    if let Some(list) = Arr::from_value(v) {
        return Ok(list);
    }
    if v.is_nil() {
        return Ok(Arr::of(crate::make::array(cx, &[])));
    }
    match call::send_if_responds_privately(cx, v, sym::TO_A, &[])?.filter(|made| !made.is_nil()) {
        Some(made) => match Arr::from_value(made) {
            Some(list) => Ok(list),
            None => Err(bad_conversion(cx, v, Known::Array, sym::TO_A, made)),
        },
        None => Ok(Arr::of(crate::make::array(cx, &[v]))),
    }
}

pub fn is_integer(v: Value) -> bool {
    v.is_fixnum() || cell::is(v, Type::BigInteger)
}

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

/// Float#to_i; FloatDomainError for NaN and infinities.
pub fn float_to_integer(cx: &mut Cx, f: f64) -> R {
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
        let shown = text::number::float_to_s(f);
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
    match basic_ops::as_float(f) {
        Some(f) => Ok(f),
        None => Err(bad_conversion(cx, v, Known::Float, sym::TO_F, f)),
    }
}

/// A symbol from a Symbol or String (to_str); TypeError "1 is not a symbol nor a string".
pub fn to_symbol(cx: &mut Cx, v: Value) -> R<Sym> {
    if let Some(s) = Sym::from_value(v) {
        return Ok(s);
    }
    match try_str(cx, v)? {
        Some(s) => Ok(string_to_symbol(cx, s)),
        None => {
            let shown = call::inspect_text(cx, v)?;
            Err(cx.type_error(&format!("{shown} is not a symbol nor a string")))
        }
    }
}

/// The symbol named by a String (pinned: names of methods, variables and constants).
pub fn string_to_symbol(cx: &mut Cx, s: Str) -> Sym {
    let encoding = symbol_encoding(s);
    symbol::table::intern_name(cx, s, encoding)
}

/// The encoding of a symbol with this name: US-ASCII if the name is ASCII.
pub fn symbol_encoding(s: Str) -> EncodingId {
    if s.is_ascii() && s.encoding().is_ascii_compatible() { EncodingId::US_ASCII } else { s.encoding() }
}

/// `v.to_s` as a String, `#<Foo>` if to_s returns no String.
pub fn to_s(cx: &mut Cx, v: Value) -> R<Str> {
    if let Some(s) = Str::from_value(v) {
        return Ok(s);
    }
    let s = call::send(cx, v, sym::TO_S, &[])?;
    Ok(Str::from_value(s).unwrap_or_else(|| any_to_s(cx, v)))
}

/// Kernel#to_s.
pub fn any_to_s(cx: &mut Cx, v: Value) -> Str {
    let text = crate::naming::any_to_text(cx, v);
    Str::of(crate::make::text(cx, &text))
}

/// `v.inspect` as a printable String: characters that are neither ASCII nor in the default encoding are escaped.
pub fn inspect(cx: &mut Cx, v: Value) -> R<Str> {
    let s = call::send(cx, v, sym::INSPECT, &[])?;
    let s = to_s(cx, s)?;
    let shown_in = cx.vm().default_internal.unwrap_or(cx.vm().default_external);
    let encoding = s.encoding();
    if encoding.is_ascii_compatible() && ((encoding == shown_in && shown_in.is_ascii_compatible()) || s.is_ascii()) {
        return Ok(s);
    }
    let mut escaped = Vec::new();
    text::inspect::escape_unprintable(encoding, s.bytes(cx), &mut escaped);
    Ok(Str::of(crate::make::string(cx, &escaped, EncodingId::US_ASCII)))
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
