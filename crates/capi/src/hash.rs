//! Hashes.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::{c_char, c_void};

use abi::Value;
use object::{
    cell,
    hash::{self, BuiltinKeys, HashRef},
};
use runtime::{Cx, R, call, convert, keys};

use crate::{
    border::{Place, call_each, call_words, send},
    given, st,
};

fn hash_of(cx: &mut Cx, v: Value) -> R<HashRef> {
    match HashRef::from_value(v) {
        Some(table) => Ok(table),
        None => {
            let class = runtime::error::class_name_of(cx, v);
            Err(cx.type_error(&format!("wrong argument type {class} (expected Hash)")))
        }
    }
}

fn changeable(cx: &mut Cx, v: Value) -> R<HashRef> {
    let table = hash_of(cx, v)?;
    if cell::frozen(v) {
        return Err(cx.frozen_error(v));
    }
    Ok(table)
}

/// Most Hashes that C makes are filled at once.
pub fn rb_hash_new(cx: &mut Cx) -> R {
    rb_hash_new_capa(cx, 2)
}

pub fn rb_hash_new_capa(cx: &mut Cx, capacity: i64) -> R {
    if capacity < 0 {
        return Err(cx.runtime_error("st_table too big"));
    }
    match HashRef::with_capacity(cx, capacity.max(0) as usize) {
        Ok(table) => Ok(table.value()),
        Err(_) => Err(cx.no_memory()),
    }
}

pub fn rb_ident_hash_new(cx: &mut Cx) -> R {
    let v = HashRef::new(cx).value();
    send(cx, v, "compare_by_identity", &[])
}

pub fn rb_check_hash_type(cx: &mut Cx, v: Value) -> R {
    Ok(convert::try_hash(cx, v)?.map_or(Value::NIL, HashRef::value))
}

pub fn rb_hash(cx: &mut Cx, v: Value) -> R {
    let hash = call::send(cx, v, runtime::sym::HASH, &[])?;
    let hash = convert::to_integer(cx, hash)?;
    // A large hash value is reduced to a small one.
    let low = object::bigint::operand(&hash).map_or(0, numeric::big::low_u64);
    Ok(if hash.is_fixnum() { hash } else { Value::fixnum(low as i64 >> 2) })
}

/// The Hash, if it hashes the key natively.
#[inline(always)]
fn searchable(cx: &Cx, v: Value, key: Value) -> Option<HashRef> {
    let is_native = !key.is_heap() || hash::has_builtin_hash(cx, key);
    HashRef::from_value(v).filter(|table| is_native && !table.is_by_identity())
}

/// The value of the key if no method must be called to find it; undef if there is none.
#[inline(always)]
fn found(cx: &mut Cx, v: Value, key: Value) -> Option<(HashRef, Value)> {
    let table = searchable(cx, v, key)?;
    Some((table, table.get(&mut BuiltinKeys(cx.mem()), key).ok()?.unwrap_or(Value::UNDEF)))
}

#[inline(always)]
pub fn quick_rb_hash_aref(cx: &mut Cx, v: Value, key: Value) -> Option<Value> {
    let (table, value) = found(cx, v, key)?;
    if !value.is_undef() {
        return Some(value);
    }
    (!table.default_is_proc() && keys::has_plain_default(cx, v)).then(|| table.default())
}

#[inline(always)]
pub fn quick_rb_hash_lookup(cx: &mut Cx, v: Value, key: Value) -> Option<Value> {
    quick_rb_hash_lookup2(cx, v, key, Value::NIL)
}

#[inline(always)]
pub fn quick_rb_hash_lookup2(cx: &mut Cx, v: Value, key: Value, default: Value) -> Option<Value> {
    let (_, value) = found(cx, v, key)?;
    Some(value.or(default))
}

/// Replaces the value of an existing key, or adds the entry if there is room.
#[inline(always)]
pub fn quick_rb_hash_aset(cx: &mut Cx, v: Value, key: Value, value: Value) -> Option<Value> {
    let table = searchable(cx, v, key).filter(|_| !cell::frozen(v))?;
    table.store_in_place(&mut BuiltinKeys(cx.mem()), key, value).ok()?.then_some(value)
}

pub fn rb_hash_aref(cx: &mut Cx, v: Value, key: Value) -> R {
    let table = hash_of(cx, v)?;
    match keys::get(cx, v, key)? {
        Some(value) => Ok(value),
        None if !table.default_is_proc() && call::is_native_method(cx, v, runtime::sym::DEFAULT) => Ok(table.default()),
        None => call::send(cx, v, runtime::sym::DEFAULT, &[key]),
    }
}

pub fn rb_hash_aset(cx: &mut Cx, v: Value, key: Value, value: Value) -> R {
    changeable(cx, v)?;
    keys::store(cx, v, key, value)?;
    Ok(value)
}

pub fn rb_hash_lookup(cx: &mut Cx, v: Value, key: Value) -> R {
    rb_hash_lookup2(cx, v, key, Value::NIL)
}

pub fn rb_hash_lookup2(cx: &mut Cx, v: Value, key: Value, default: Value) -> R {
    hash_of(cx, v)?;
    Ok(keys::get(cx, v, key)?.unwrap_or(default))
}

pub fn rb_hash_delete(cx: &mut Cx, v: Value, key: Value) -> R {
    changeable(cx, v)?;
    Ok(keys::delete(cx, v, key)?.unwrap_or(Value::NIL))
}

pub fn rb_hash_delete_if(cx: &mut Cx, v: Value) -> R {
    let block = Place::now().block();
    let name = object::symbol::table::intern_text(cx, "delete_if");
    call::send_with_block(cx, v, name, &[], block)
}

pub fn rb_hash_freeze(cx: &mut Cx, v: Value) -> R {
    send(cx, v, "freeze", &[])
}

pub fn rb_hash_size_num(_: &mut Cx, v: Value) -> usize {
    HashRef::from_value(v).map_or(0, HashRef::len)
}

const STOP: i32 = 1;
const DELETE: i32 = 2;

thread_local! {
    /// The tables that `rb_hash_tbl` returned most recently.
    static COPIES: RefCell<VecDeque<*mut st::Table>> = const { RefCell::new(VecDeque::new()) };
}

/// A copy of the entries as a table, for `RHASH_TBL`; valid until this function has returned a number of other tables.
pub fn rb_hash_tbl(cx: &mut Cx, v: Value, _: *const c_char, _: i32) -> R<*mut st::Table> {
    const KEPT: usize = 64;
    let table = hash_of(cx, v)?;
    let copy = st::st_init_numtable();
    let mut position = 0;
    while let Some((at, key, value)) = table.next(position) {
        position = at;
        st::st_add_direct(copy, key.0, value.0);
    }
    COPIES.with_borrow_mut(|copies| {
        if copies.len() == KEPT
            && let Some(oldest) = copies.pop_front()
        {
            st::st_free_table(oldest);
        }
        copies.push_back(copy);
    });
    Ok(copy)
}

pub fn rb_hash_foreach(cx: &mut Cx, v: Value, function: *const c_void, data: Value) -> R<()> {
    let place = Place::now();
    let table = hash_of(cx, v)?;
    if table.is_empty() {
        return Ok(());
    }
    if table.begin_iteration(cx).is_err() {
        return Err(cx.no_memory());
    }
    let result = visit(cx, table, function, data, place);
    table.end_iteration(cx);
    result
}

/// A place in a Hash between two calls of the callback.
struct Walk {
    table: HashRef,
    position: usize,
    key: Value,
    answer: i32,
}

/// The next entry, unless the callback's answer asks for something else.
unsafe extern "C" fn next_entry(walk: *mut Walk, answer: Value, words: *mut [Value; 2]) -> i32 {
    // SAFETY: `call_each` passes the state of `visit`, which nothing else uses meanwhile, and room for two words.
    let (walk, words) = unsafe { (&mut *walk, &mut *words) };
    walk.answer = answer.0 as i32;
    if matches!(walk.answer, STOP | DELETE) {
        return 0;
    }
    let Some((at, key, value)) = walk.table.next(walk.position) else {
        walk.answer = STOP;
        return 0;
    };
    (walk.position, walk.key) = (at, key);
    *words = [key, value];
    1
}

fn visit(cx: &mut Cx, table: HashRef, function: *const c_void, data: Value, place: Place) -> R<()> {
    let mut walk = Walk { table, position: 0, key: Value::NIL, answer: 0 };
    loop {
        call_each(cx, function, next_entry, &mut walk, data, place)?;
        if walk.answer != DELETE {
            return Ok(());
        }
        if cell::frozen(table.value()) {
            return Err(cx.frozen_error(table.value()));
        }
        keys::delete(cx, table.value(), walk.key)?;
    }
}

pub fn rb_hash_update_by(cx: &mut Cx, v: Value, other: Value, function: *mut c_void) -> R {
    if function.is_null() {
        return send(cx, v, "update", &[other]);
    }
    let place = Place::now();
    let other = convert::to_hash(cx, other)?;
    let mut position = 0;
    while let Some((at, key, value)) = other.next(position) {
        position = at;
        let value = match keys::get(cx, v, key)? {
            Some(old) => call_words(cx, function, &[key.0, old.0, value.0], place, None)?,
            None => value,
        };
        rb_hash_aset(cx, v, key, value)?;
    }
    Ok(v)
}

pub fn rb_hash_bulk_insert(cx: &mut Cx, count: i64, pairs: *const Value, v: Value) -> R<()> {
    let pairs = given::slice(count.max(0) as usize, pairs);
    let table = changeable(cx, v)?;
    if table.reserve(cx, pairs.len() / 2).is_err() {
        return Err(cx.no_memory());
    }
    for pair in pairs.chunks_exact(2) {
        if quick_rb_hash_aset(cx, v, pair[0], pair[1]).is_none() {
            rb_hash_aset(cx, v, pair[0], pair[1])?;
        }
    }
    Ok(())
}

pub fn rb_hash_set_ifnone(cx: &mut Cx, v: Value, default: Value) -> R {
    send(cx, v, "default=", &[default])?;
    Ok(v)
}
