//! Hashes: primitives of the Ruby half of Hash, and its iteration by positions.

use abi::Value;
use object::{
    Known,
    array::Arr,
    cell, class,
    hash::{HashRef, new_identity},
    shape::ivars,
};

use super::folds;
use crate::{Cx, R, convert, error::OrRaise, keys};

/// The entry before the position.
#[inline(always)]
fn before(position: Value) -> usize {
    position.fixnum_value() as usize - 1
}

pub fn size(_: &mut Cx, [table]: [Value; 1]) -> Value {
    Value::fixnum(HashRef::of(table).len() as i64)
}

pub fn enter(cx: &mut Cx, [table]: [Value; 1]) -> R {
    HashRef::of(table).begin_iteration(cx).or_raise(cx)?;
    Ok(Value::fixnum(0))
}

pub fn leave(cx: &mut Cx, [table]: [Value; 1]) {
    HashRef::of(table).end_iteration(cx);
}

#[inline(always)]
pub fn next(_: &mut Cx, [table, position]: [Value; 2]) -> Value {
    let next = HashRef::of(table).next(position.fixnum_value() as usize);
    next.map_or(Value::NIL, |(next, _, _)| Value::fixnum(next as i64))
}

#[inline(always)]
pub fn key_at(_: &mut Cx, [table, position]: [Value; 2]) -> Value {
    HashRef::of(table).entry_at(before(position)).map_or(Value::UNDEF, |(key, _)| key)
}

#[inline(always)]
pub fn value_at(_: &mut Cx, [table, position]: [Value; 2]) -> Value {
    HashRef::of(table).entry_at(before(position)).map_or(Value::NIL, |(_, value)| value)
}

#[inline(always)]
pub fn pair_at(cx: &mut Cx, [table, position]: [Value; 2]) -> Value {
    let (key, value) = HashRef::of(table).entry_at(before(position)).unwrap_or((Value::NIL, Value::NIL));
    Arr::pair(cx, key, value).value()
}

#[inline(always)]
pub fn set_at(cx: &mut Cx, [table, position, value]: [Value; 3]) -> Value {
    let at = before(position);
    if HashRef::of(table).entry_at(at).is_some() {
        HashRef::of(table).set_value_at(cx, at, value);
    }
    value
}

pub fn delete_at(cx: &mut Cx, [table, position]: [Value; 2]) {
    HashRef::of(table).delete_at(cx, before(position));
}

pub fn shrink(cx: &mut Cx, [table]: [Value; 1]) -> Value {
    HashRef::of(table).shrink_after_deletions(cx);
    table
}

pub fn put(cx: &mut Cx, [table, key, value]: [Value; 3]) -> R {
    keys::store(cx, table, key, value)?;
    Ok(table)
}

pub fn put_in_set(cx: &mut Cx, [table, element]: [Value; 2]) -> R {
    keys::store_in_set(cx, table, element)?;
    Ok(table)
}

/// For `to_h` with a block. TypeError or ArgumentError unless it is a pair.
pub fn put_pair(cx: &mut Cx, [table, v]: [Value; 2]) -> R {
    let Some(pair) = convert::try_ary(cx, v)? else {
        let name = crate::error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("wrong element type {name} (expected array)")));
    };
    let &[key, value] = pair.elements(cx) else {
        let count = pair.len();
        return Err(cx.argument_error(&format!("element has wrong array length (expected 2, was {count})")));
    };
    put(cx, [table, key, value])
}

pub fn merge(cx: &mut Cx, [table, other]: [Value; 2]) -> R {
    let merged = HashRef::of(table).merge(cx, HashRef::of(other));
    keys::raise(cx, merged)?;
    Ok(table)
}

pub fn entries(cx: &mut Cx, [table]: [Value; 1]) -> R {
    let copied = HashRef::with_entries_of(cx, HashRef::of(table));
    Ok(copied.map_err(|e| keys::raise_table_error(cx, e))?.value())
}

pub fn put_new(cx: &mut Cx, [table, key, value]: [Value; 3]) -> R<bool> {
    let stored = HashRef::of(table).store_new(cx, key, value);
    keys::raise(cx, stored)
}

pub fn new(cx: &mut Cx, []: [Value; 0]) -> Value {
    HashRef::new(cx).value()
}

pub fn like(cx: &mut Cx, [table]: [Value; 1]) -> Value {
    if HashRef::of(table).is_by_identity() { new_identity(cx) } else { HashRef::new(cx).value() }
}

pub fn count(cx: &mut Cx, [table, v]: [Value; 2]) -> R {
    folds::count(cx, table, v)?;
    Ok(table)
}

pub fn get(cx: &mut Cx, [table, key]: [Value; 2]) -> R {
    Ok(keys::get(cx, table, key)?.unwrap_or(Value::UNDEF))
}

pub fn raise_key_not_found(cx: &mut Cx, [table, key]: [Value; 2]) -> R {
    Err(keys::key_not_found(cx, table, key))
}

pub fn remove(cx: &mut Cx, [table, key]: [Value; 2]) -> R {
    Ok(keys::delete(cx, table, key)?.unwrap_or(Value::UNDEF))
}

pub fn copy(cx: &mut Cx, [table]: [Value; 1]) -> R {
    let copied = HashRef::of(table).dup(cx);
    Ok(copied.map_err(|e| keys::raise_table_error(cx, e))?.value())
}

/// A copy of its class with the instance variables, for which no method of the program is called.
pub fn dup(cx: &mut Cx, [table]: [Value; 1]) -> R {
    let copy = copy(cx, [table])?;
    let of = class::root_shape(class::real_class(cx, table));
    cell::set_header(copy, cell::header(copy).with_shape(of));
    if cell::header(table).shape() != of {
        ivars::copy(cx, table, copy);
    }
    Ok(copy)
}

pub fn each_is_own(cx: &mut Cx, [table]: [Value; 1]) -> bool {
    super::has_each_of_class(cx, table, Known::Hash)
}
