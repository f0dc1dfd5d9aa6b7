//! Hashes of keywords: what runs no Ruby, because the keys are Symbols.

use abi::Value;
use object::{
    Sym,
    hash::{self, BuiltinKeys, HashRef},
};

use crate::{Cx, R, Unwind};

#[cold]
pub fn raise_table_error(cx: &mut Cx, error: hash::Error) -> Unwind {
    match error {
        hash::Error::AddedDuringIteration => cx.runtime_error("can't add a new key into hash during iteration"),
        hash::Error::TooBig => cx.argument_error("too big hash"),
        hash::Error::OutOfMemory => cx.no_memory(),
        // `Cx` can call `hash` and `eql?`; callers without it retry with it.
        hash::Error::NeedsRuby => cx.runtime_error("keys that only Ruby can hash or compare"),
    }
}

/// A symbol's value, or undef: never runs Ruby.
#[inline]
pub fn get_symbol(cx: &mut Cx, hash: Value, key: Sym) -> Value {
    match HashRef::of(hash).get(&mut BuiltinKeys(cx.mem()), key.value()) {
        Ok(Some(v)) => v,
        _ => Value::UNDEF,
    }
}

/// `hash[key] = value` for a Symbol.
#[inline]
pub fn store_symbol(cx: &mut Cx, hash: Value, key: Sym, value: Value) -> R<()> {
    match HashRef::of(hash).store(&mut BuiltinKeys(cx.mem()), key.value(), value) {
        Ok(()) => Ok(()),
        // Another key must be hashed.
        Err(hash::Error::NeedsRuby) => (cx.vm().upper.store_key)(cx, HashRef::of(hash), key.value(), value),
        Err(error) => Err(raise_table_error(cx, error)),
    }
}

/// `hash.delete(key)` for a Symbol.
pub fn delete_symbol(cx: &mut Cx, hash: Value, key: Sym) -> R<()> {
    match HashRef::of(hash).delete(&mut BuiltinKeys(cx.mem()), key.value()) {
        Ok(_) => Ok(()),
        Err(error) => Err(raise_table_error(cx, error)),
    }
}

/// A Hash of class Hash with the same entries.
pub fn dup(cx: &mut Cx, hash: Value) -> Value {
    match HashRef::with_entries_of(cx, HashRef::of(hash)) {
        Ok(copy) => copy.value(),
        Err(_) => std::panic::resume_unwind(Box::new(heap::OutOfMemory)),
    }
}

/// Keyword `name` of a native method's hash, or undef.
pub fn keyword(cx: &mut Cx, keywords: Option<Value>, name: Sym) -> Value {
    keywords.map_or(Value::UNDEF, |h| get_symbol(cx, h, name))
}

/// The same by the keyword's name.
pub fn get_symbol_text(cx: &mut Cx, keywords: Option<Value>, name: &str) -> Value {
    // Most calls have none, and finding the name takes longer than what many methods do.
    if keywords.is_none() {
        return Value::UNDEF;
    }
    let name = object::symbol::table::intern_text(cx, name);
    keyword(cx, keywords, name)
}
