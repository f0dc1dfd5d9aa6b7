//! `[]`, `[]=`, `length`, `size`, `empty?` of direct instances of Array, Hash and String (not of subclasses, which may
//! override them).

use crate::{Cx, basic_ops::BasicOp};
use abi::{Flags, Type, Value};
use bytecode::Opcode;
use object::{
    Known,
    array::Arr,
    cell,
    hash::{self, BuiltinKeys, HashRef, KeyGuess},
    string::Str,
};

/// Whether `v` is a direct instance of the core class.
#[inline(always)]
fn is_plain(v: Value, known: Known) -> bool {
    v.is_heap() && cell::header(v).shape() == known.root_shape()
}

/// `receiver[key]` without running Ruby.
#[inline(always)]
pub fn get_fast(cx: &mut Cx, receiver: Value, key: Value) -> Option<Value> {
    get_with::<true>(cx, receiver, key)
}

/// [`get_fast`]; `LENT`: a String key may be a lent literal.
#[inline(always)]
pub fn get_with<const LENT: bool>(cx: &mut Cx, receiver: Value, key: Value) -> Option<Value> {
    if is_plain(receiver, Known::Array) && key.is_fixnum() && cx.vm().redefined.array & BasicOp::Aref.bit() == 0 {
        // SAFETY: only Arrays have this shape.
        let list = unsafe { Arr::new_unchecked(receiver) };
        let n = key.fixnum_value();
        let n = if n < 0 { n + list.len() as i64 } else { n };
        return Some(if n < 0 { Value::NIL } else { list.get(n as usize).unwrap_or(Value::NIL) });
    }
    hash_get::<LENT>(cx, plain_hash(cx, receiver, BasicOp::Aref)?, key)
}

/// A direct instance of Hash, if the program has not redefined the operator.
#[inline(always)]
fn plain_hash(cx: &Cx, receiver: Value, op: BasicOp) -> Option<HashRef> {
    let is_plain = is_plain(receiver, Known::Hash) && cx.vm().redefined.hash & op.bit() == 0;
    // SAFETY: only Hashes have this shape.
    is_plain.then(|| unsafe { HashRef::new_unchecked(receiver) })
}

/// The same for `[]=`, if it is not frozen.
#[inline(always)]
fn open_hash(cx: &Cx, receiver: Value) -> Option<HashRef> {
    plain_hash(cx, receiver, BasicOp::Aset).filter(|_| !cell::header(receiver).has(Flags::FROZEN))
}

/// The value for a key that can be compared without Ruby code, or the plain default.
fn hash_get<const LENT: bool>(cx: &mut Cx, table: HashRef, key: Value) -> Option<Value> {
    if key.is_heap() && !is_searchable::<LENT>(cx, table, key) {
        return None;
    }
    match table.get(&mut BuiltinKeys(cx.mem()), key) {
        Ok(Some(v)) => Some(v),
        Ok(None) => plain_default(cx, table),
        Err(_) => None,
    }
}

/// The default of a table, unless a Proc computes it.
fn plain_default(cx: &Cx, table: HashRef) -> Option<Value> {
    let is_plain = !table.default_is_proc() && cx.vm().redefined.hash & BasicOp::Call.bit() == 0;
    is_plain.then(|| table.default())
}

/// [`get_fast`] at a place whose key is always the same: an immediate, or a String that may be a lent literal.
#[inline(always)]
pub fn get_near(cx: &mut Cx, receiver: Value, key: Value, guess: &KeyGuess) -> Option<Value> {
    let Some(table) = plain_hash(cx, receiver, BasicOp::Aref) else { return get_fast(cx, receiver, key) };
    if key.is_heap() && !is_searchable::<true>(cx, table, key) {
        return None;
    }
    if let Some(position) = table.position_near(key, guess) {
        return Some(table.value_at(position));
    }
    match table.position(&mut BuiltinKeys(cx.mem()), key).ok()? {
        Some(position) => {
            guess.learn(position);
            Some(table.value_at(position))
        }
        None => plain_default(cx, table),
    }
}

/// Whether the table has a key that can be compared without Ruby code; `None` for other keys.
pub fn has_key_fast(cx: &mut Cx, table: HashRef, key: Value) -> Option<bool> {
    find(cx, table, key).map(|found| found.is_some())
}

/// The value of a key that can be compared without Ruby code, `Some(None)` if the table does not have it; `None` for
/// other keys.
pub fn find(cx: &mut Cx, table: HashRef, key: Value) -> Option<Option<Value>> {
    let is_comparable = key.is_immediate() || is_searchable::<true>(cx, table, key);
    is_comparable.then(|| table.get(&mut BuiltinKeys(cx.mem()), key).ok()).flatten()
}

/// [`find`] at a place whose key is often the same.
pub fn fetch_near(cx: &mut Cx, table: HashRef, key: Value, guess: &KeyGuess) -> Option<Option<Value>> {
    if key.is_heap() && !is_searchable::<true>(cx, table, key) {
        return None;
    }
    let may_be_near = key.is_immediate() || cell::is(key, Type::String);
    if let Some(position) = may_be_near.then(|| table.position_near(key, guess)).flatten() {
        return Some(Some(table.value_at(position)));
    }
    let Some(position) = table.position(&mut BuiltinKeys(cx.mem()), key).ok()? else { return Some(None) };
    if may_be_near {
        guess.learn(position);
    }
    Some(Some(table.value_at(position)))
}

/// Whether a heap value can be found among a table's keys without running Ruby. In a table that compares by identity, a
/// lent String literal must not be used as the key.
#[inline]
fn is_searchable<const LENT: bool>(cx: &Cx, table: HashRef, key: Value) -> bool {
    match table.is_by_identity() {
        true => !LENT || !cell::is(key, Type::String),
        false => hash::has_builtin_hash(cx, key),
    }
}

/// `receiver[key] = v` without running Ruby.
#[inline(always)]
pub fn set_fast(cx: &mut Cx, receiver: Value, key: Value, v: Value) -> bool {
    set_with::<true>(cx, receiver, key, v)
}

/// [`set_fast`]; `LENT`: a String key may be a lent literal.
#[inline(always)]
pub fn set_with<const LENT: bool>(cx: &mut Cx, receiver: Value, key: Value, v: Value) -> bool {
    if is_plain(receiver, Known::Array)
        && key.is_fixnum()
        && !cell::header(receiver).has(Flags::FROZEN)
        && cx.vm().redefined.array & BasicOp::Aset.bit() == 0
    {
        // SAFETY: only Arrays have this shape.
        let list = unsafe { Arr::new_unchecked(receiver) };
        // Negative indexes become very large and are out of bounds.
        return set_element(cx, list, key.fixnum_value() as usize, v);
    }
    open_hash(cx, receiver).is_some_and(|table| hash_set::<LENT>(cx, table, key, v))
}

/// [`set_fast`] at a place whose key is always the same: an immediate, or a String that may be a lent literal.
#[inline(always)]
pub fn set_near(cx: &mut Cx, receiver: Value, key: Value, v: Value, guess: &KeyGuess) -> bool {
    let Some(table) = open_hash(cx, receiver) else { return set_fast(cx, receiver, key, v) };
    if key.is_heap() && !is_searchable::<true>(cx, table, key) {
        return false;
    }
    let position = match table.position_near(key, guess) {
        Some(position) => position,
        None => match table.find_or_store(&mut BuiltinKeys(cx.mem()), key, v) {
            Ok(Some(position)) => {
                guess.learn(position);
                position
            }
            Ok(None) => return true,
            Err(_) => return false,
        },
    };
    table.set_value_at(cx, position, v);
    true
}

/// Stores at an index below the length of an Array.
#[inline(never)]
fn set_element(cx: &mut Cx, list: Arr, index: usize, v: Value) -> bool {
    list.set_own(cx, index, v) || index < list.len() && list.set(cx, index, v).is_ok()
}

/// Stores under a key that needs no Ruby code.
fn hash_set<const LENT: bool>(cx: &mut Cx, table: HashRef, key: Value, v: Value) -> bool {
    let is_comparable = key.is_immediate() || is_searchable::<LENT>(cx, table, key);
    is_comparable && table.store(&mut BuiltinKeys(cx.mem()), key, v).is_ok()
}

/// The length for `IsEmpty`, `Length` and `Size`.
#[inline(always)]
pub fn length(cx: &Cx, v: Value, opcode: Opcode) -> Option<usize> {
    if !v.is_heap() {
        return None;
    }
    let op = match opcode {
        Opcode::IsEmpty => BasicOp::EmptyP,
        Opcode::Length => BasicOp::Length,
        _ => BasicOp::Size,
    };
    let header = cell::header(v);
    let redefined = &cx.vm().redefined;
    match header.ty() {
        Type::Array if is_plain(v, Known::Array) && redefined.array & op.bit() == 0 => {
            // SAFETY: the type was tested.
            Some(unsafe { Arr::new_unchecked(v) }.len())
        }
        Type::Hash if is_plain(v, Known::Hash) && redefined.hash & op.bit() == 0 => {
            // SAFETY: the type was tested.
            Some(unsafe { HashRef::new_unchecked(v) }.len())
        }
        Type::String if is_plain(v, Known::String) && redefined.string & op.bit() == 0 => {
            // SAFETY: the type was tested.
            let s = unsafe { Str::new_unchecked(v) };
            if opcode == Opcode::IsEmpty || s.is_ascii() { Some(s.len()) } else { None }
        }
        _ => None,
    }
}
