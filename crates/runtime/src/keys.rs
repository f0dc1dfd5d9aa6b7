//! Hash keys: Ruby's `hash` and `eql?` for the tables of the object layer.

use abi::{Type, Value};
use object::{
    Sym, cell,
    hash::{self, KeyOps},
    string,
};

use crate::{Cx, R, Unwind, call, convert, error::ErrorClass, sym};

impl KeyOps for Cx {
    type Error = Unwind;

    fn hash_key(&mut self, key: Value) -> R<u64> {
        hash_of(self, key)
    }

    fn equal_keys(&mut self, a: Value, b: Value) -> R<bool> {
        call::eql(self, a, b)
    }
}

/// `key.hash` as 64 bits.
pub fn hash_of(cx: &mut Cx, key: Value) -> R<u64> {
    let h = call::send(cx, key, sym::HASH, &[])?;
    if h.is_fixnum() {
        return Ok(h.fixnum_value() as u64);
    }
    let h = convert::to_integer(cx, h)?;
    Ok(object::bigint::operand(&h).map_or(0, numeric::big::low_u64))
}

/// `hash[key]` without defaults.
#[inline]
pub fn get(cx: &mut Cx, hash: Value, key: Value) -> R<Option<Value>> {
    hash::get(cx, hash, key)
}

/// A symbol's value, or undef: never runs Ruby.
#[inline]
pub fn get_symbol(hash: Value, key: Sym) -> Value {
    hash::get_symbol(hash, key.0)
}

/// `hash[key] = value`: String keys are copied and frozen.
pub fn store(cx: &mut Cx, hash: Value, key: Value, value: Value) -> R<()> {
    let mut key = key;
    if cell::is(key, Type::String) && !cell::frozen(key) && !hash::compares_by_identity(hash) {
        key = string::Str(key).frozen_dup(cx).0;
    }
    match hash::store(cx, hash, key, value) {
        Ok(()) => Ok(()),
        Err(hash::StoreError::Iterating) => Err(cx.runtime_error("can't add a new key into hash during iteration")),
        Err(hash::StoreError::TooBig) => Err(cx.no_memory()),
        Err(hash::StoreError::Key(unwind)) => Err(unwind),
    }
}

/// `hash.delete(key)`: the value that was there.
pub fn delete(cx: &mut Cx, hash: Value, key: Value) -> R<Option<Value>> {
    hash::delete(cx, hash, key)
}

/// `hash.fetch`-like KeyError.
pub fn key_not_found(cx: &mut Cx, hash: Value, key: Value) -> Unwind {
    let shown = match call::inspect_text(cx, key) {
        Ok(shown) => shown,
        Err(unwind) => return unwind,
    };
    let message = crate::make::text(cx, &format!("key not found: {shown}"));
    cx.key_error(message, hash, key)
}

/// Keyword `name` of a native method's hash, or undef.
pub fn keyword(keywords: Option<Value>, name: Sym) -> Value {
    keywords.map_or(Value::UNDEF, |h| get_symbol(h, name))
}

/// ArgumentError for keywords that a native method does not know.
pub fn only_keywords(cx: &mut Cx, keywords: Option<Value>, known: &[Sym]) -> R<()> {
    let Some(h) = keywords else { return Ok(()) };
    let unknown: Vec<u64> = hash::pairs(h).map(|(k, _)| k).filter(|k| !known.iter().any(|n| n.0 == *k)).map(|k| k.0).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let mut shown = Vec::new();
    for key in &unknown {
        shown.push(call::inspect_text(cx, Value(*key))?);
    }
    let plural = if shown.len() == 1 { "" } else { "s" };
    Err(cx.raise(ErrorClass::ArgumentError, &format!("unknown keyword{plural}: {}", shown.join(", "))))
}
