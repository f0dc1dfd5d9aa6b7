//! Implicit conversions by `to_str`, `to_ary` and the like, with Ruby's errors.

use abi::Value;
use object::{Known, Sym, array::Arr, class, hash::HashRef, string::Str};

use super::send_conversion;
use crate::{Cx, R, error, sym};

/// Converts `v` to a `wanted` by calling `method`; TypeError if `v` does not respond or the result has another class.
fn convert(cx: &mut Cx, v: Value, wanted: Known, method: Sym) -> R {
    match send_conversion(cx, v, method, &[])? {
        Some(converted) if class::is_known(cx, converted, wanted) => Ok(converted),
        Some(other) => Err(bad_conversion(cx, v, wanted, method, other)),
        None => Err(no_conversion(cx, v, wanted)),
    }
}

#[cold]
pub(crate) fn no_conversion(cx: &mut Cx, v: Value, wanted: Known) -> crate::Unwind {
    let from = error::describe_for_conversion(cx, v);
    cx.type_error(&format!("no implicit conversion of {from} into {}", wanted.ruby_name()))
}

#[cold]
pub(crate) fn bad_conversion(cx: &mut Cx, v: Value, wanted: Known, method: Sym, got: Value) -> crate::Unwind {
    let (from, to, method, got) =
        (error::describe_for_conversion(cx, v), wanted.ruby_name(), method.to_text(cx), error::class_name_of(cx, got));
    cx.type_error(&format!("can't convert {from} to {to} ({from}#{method} gives {got})"))
}

/// Like `convert`, but nil if `v` does not respond or returns nil.
fn try_convert(cx: &mut Cx, v: Value, wanted: Known, method: Sym) -> R<Option<Value>> {
    match send_conversion(cx, v, method, &[])? {
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

/// A String, by to_str; `None` if `v` has no to_str or it returns nil.
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

/// An Array, by to_ary; `None` if `v` has no to_ary or it returns nil.
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

/// A Hash, by to_hash; `None` if `v` has no to_hash or it returns nil.
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
    match send_conversion(cx, v, sym::TO_A, &[])?.filter(|made| !made.is_nil()) {
        Some(made) => match Arr::from_value(made) {
            Some(list) => Ok(list),
            None => Err(bad_conversion(cx, v, Known::Array, sym::TO_A, made)),
        },
        None => Ok(Arr::of(crate::make::array(cx, &[v]))),
    }
}
