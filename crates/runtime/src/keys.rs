//! Hash keys: Ruby's `hash` and `eql?` for the tables of the object layer.

use abi::{Type, Value};
use object::{
    Known, Sym,
    array::Arr,
    cell, class,
    hash::{self, HashRef, Keys},
    method_entry::{self, Kind},
};

pub use crate::keyword_hash::{dup, get_symbol, get_symbol_text, keyword, raise_table_error, store_symbol};
use crate::{
    Cx, R, Unwind,
    basic_ops::BasicOp,
    call::{
        self,
        equality::{self, By, Runs, is_plain_string},
        order::is_plain_array,
    },
    convert,
    error::ErrorClass,
    literal_arguments::own,
    make, sym,
};

/// Why an operation on a hash failed: an error of the table, or an exception of a key's method.
pub enum Failure {
    Table(hash::Error),
    Raised(Unwind),
}

impl From<hash::Error> for Failure {
    fn from(error: hash::Error) -> Failure {
        Failure::Table(error)
    }
}

impl Keys for Cx {
    type Error = Failure;

    fn hash_key(&mut self, key: Value) -> Result<u64, Failure> {
        match known_hash(self, key) {
            Some(hash) => Ok(hash::number_of(hash) as u64),
            None => hash_of(self, key).map_err(Failure::Raised),
        }
    }

    fn equal_keys(&mut self, a: Value, b: Value) -> Result<bool, Failure> {
        if is_plain_array(a) && is_plain_array(b) && self.vm().redefinitions().array & BasicOp::Eql.bit() == 0 {
            match equality::compare_runs(self, a, b, 0, By::Eql) {
                Runs::Same => return Ok(true),
                Runs::Differ => return Ok(false),
                Runs::NeedsCall(_) => {}
            }
        }
        call::eql(self, a, b).map_err(Failure::Raised)
    }
}

/// The result of an operation on a hash, with Ruby's errors.
pub fn raise<T>(cx: &mut Cx, result: Result<T, Failure>) -> R<T> {
    match result {
        Ok(v) => Ok(v),
        Err(Failure::Raised(unwind)) => Err(unwind),
        Err(Failure::Table(error)) => Err(raise_table_error(cx, error)),
    }
}

/// The 64-bit hash of an Array of basic values, or of an object with Kernel's `hash` and `eql?`, if none of their
/// `hash` methods is redefined: what `hash` returns for it, without a call.
pub fn known_hash(cx: &mut Cx, key: Value) -> Option<u64> {
    if !cell::is(key, Type::Array) {
        return is_by_identity(cx, key).then(|| hash::hash_by_identity(cx, key));
    }
    let bit = BasicOp::Hash.bit();
    let redefined = cx.vm().redefinitions();
    if !is_plain_array(key) || (redefined.array | redefined.string | redefined.float) & bit != 0 {
        return None;
    }
    let list = Arr::of(key);
    let elements = list.elements(cx);
    let mut sum = array_hash_start(cx, elements.len());
    for v in elements {
        if v.is_heap() && !is_plain_string(*v) && !cell::is(*v, Type::Float) {
            return None;
        }
        sum = array_hash_step(cx, sum, hash::number_of(hash::builtin_hash(cx, *v)?) as u64);
    }
    Some(sum)
}

/// Whether the object has Kernel's `hash` and `eql?`.
fn is_by_identity(cx: &mut Cx, key: Value) -> bool {
    let class = class::class_of(cx, key);
    if let Some(known) = class::class_data(cx, class).flags.are_keys_by_identity {
        return known;
    }
    let object = cx.class(Known::Object);
    let mut is_of_kernel = |name| {
        let entry = class::lookup::find_method(cx, class, name);
        !entry.is_undef()
            && method_entry::kind(entry) == Kind::Native
            && entry == class::lookup::find_method(cx, object, name)
    };
    let found = is_of_kernel(sym::HASH) && is_of_kernel(sym::EQL);
    class::class_data_mut(cx, class).flags.are_keys_by_identity = Some(found);
    found
}

/// The hash of an Array begins with its length.
#[inline]
pub fn array_hash_start(cx: &Cx, len: usize) -> u64 {
    hash::mix(cx, len as u64 ^ 0xa77a)
}

/// Mixes the `hash` of the next element into that of an Array.
#[inline]
pub fn array_hash_step(cx: &Cx, sum: u64, element: u64) -> u64 {
    hash::mix(cx, sum.rotate_left(17) ^ element)
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

/// Replaces a literal that was lent by a String of its own, because in a hash that compares by identity it is not the
/// key.
#[inline(always)]
fn as_looked_up(cx: &mut Cx, hash: Value, key: Value) -> Value {
    if HashRef::of(hash).is_by_identity() { own(cx, key) } else { key }
}

/// `hash[key]` without defaults.
#[inline]
pub fn get(cx: &mut Cx, hash: Value, key: Value) -> R<Option<Value>> {
    let key = as_looked_up(cx, hash, key);
    let found = HashRef::of(hash).get(cx, key);
    raise(cx, found)
}

/// Whether it is a Hash of class Hash itself, without instance variables, and `default` is not redefined: a missing
/// key's value is found without a call.
#[inline]
pub fn has_plain_default(cx: &Cx, hash: Value) -> bool {
    cell::header(hash).shape() == Known::Hash.root_shape() && cx.vm().redefinitions().hash & BasicOp::Default.bit() == 0
}

/// `hash[key] = value`: String keys are copied and frozen.
pub fn store(cx: &mut Cx, hash: Value, key: Value, value: Value) -> R<()> {
    let stored = stored(cx, hash, key, value);
    raise(cx, stored)
}

/// Adds an element to the table of a Set.
pub fn store_in_set(cx: &mut Cx, table: Value, element: Value) -> R<()> {
    match stored(cx, table, element, Value::TRUE) {
        Err(Failure::Table(hash::Error::AddedDuringIteration)) => {
            Err(cx.runtime_error("can't add a new item into set during iteration"))
        }
        stored => raise(cx, stored),
    }
}

#[inline]
fn stored(cx: &mut Cx, hash: Value, key: Value, value: Value) -> Result<(), Failure> {
    let key = as_looked_up(cx, hash, key);
    HashRef::of(hash).store(cx, key, value)
}

/// `hash.delete(key)`: the deleted value.
pub fn delete(cx: &mut Cx, hash: Value, key: Value) -> R<Option<Value>> {
    let key = as_looked_up(cx, hash, key);
    let deleted = HashRef::of(hash).delete(cx, key);
    Ok(raise(cx, deleted)?.map(|(_, v)| v))
}

/// The number of characters of a key that a KeyError shows.
const SHOWN: usize = 65;

/// The KeyError of `Hash#fetch`.
pub fn key_not_found(cx: &mut Cx, hash: Value, key: Value) -> Unwind {
    let key = own(cx, key);
    let shown = match call::inspect_text(cx, key) {
        Ok(shown) => shown,
        Err(unwind) => return unwind,
    };
    let shown = match shown.char_indices().nth(SHOWN) {
        Some(_) => shown.chars().take(SHOWN - 3).collect::<String>() + "...",
        None => shown,
    };
    let message = make::described(cx, &format!("key not found: {shown}"));
    cx.key_error(message, hash, key)
}

/// ArgumentError for keywords that a native method does not know.
pub fn only_keywords(cx: &mut Cx, keywords: Option<Value>, known: &[Sym]) -> R<()> {
    let Some(h) = keywords else { return Ok(()) };
    let unknown: Vec<u64> = HashRef::of(h)
        .entries()
        .map(|(k, _)| k)
        .filter(|k| !known.iter().any(|n| n.value() == *k))
        .map(|k| k.0)
        .collect();
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
