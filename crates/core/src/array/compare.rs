//! `==`, `eql?`, `hash`, `<=>`.

use std::sync::atomic::{AtomicBool, Ordering};

use abi::{Type, Value};
use object::{Sym, array::Arr, cell, hash};
use runtime::{Args, Cx, R, call, convert, keys, recursion, sym};

pub fn equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !cell::is(other, Type::Array) {
        if !call::responds(cx, other, sym::TO_ARY, false)? {
            return Ok(Value::FALSE);
        }
        return Ok(Value::bool(call::equal(cx, other, me)?));
    }
    same(cx, me, other, sym::EQ, identical_or_equal)
}

/// Identical elements are equal, NaN too.
fn identical_or_equal(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    Ok((a.is_heap() && a == b) || call::equal(cx, a, b)?)
}

pub fn eql(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !cell::is(other, Type::Array) {
        return Ok(Value::FALSE);
    }
    same(cx, me, other, sym::EQL, call::eql)
}

fn same(cx: &mut Cx, me: Value, other: Value, by: Sym, test: fn(&mut Cx, Value, Value) -> R<bool>) -> R {
    if Arr(me).len() != Arr(other).len() {
        return Ok(Value::FALSE);
    }
    // Elements that can't contain the Array need no guard.
    if Arr(me).elements().iter().all(|v| !cell::is(*v, Type::Array) && (v.is_immediate() || cell::is(*v, Type::String)))
    {
        return Ok(Value::bool(same_elements(cx, me, other, test)?));
    }
    let result = recursion::guard(cx, by, me, other, |cx| same_elements(cx, me, other, test))?;
    Ok(Value::bool(result.unwrap_or(true)))
}

fn same_elements(cx: &mut Cx, me: Value, other: Value, test: fn(&mut Cx, Value, Value) -> R<bool>) -> R<bool> {
    let mut i = 0;
    while let Some(a) = Arr(me).get(i) {
        let Some(b) = Arr(other).get(i) else { return Ok(false) };
        if !test(cx, a, b)? {
            return Ok(false);
        }
        i += 1;
    }
    Ok(Arr(me).len() == Arr(other).len())
}

/// The hash of any value as `hash` gives it, core classes at once.
pub fn hash_value(cx: &mut Cx, v: Value) -> R<u64> {
    match hash::builtin_hash(cx, v) {
        Some(h) if !v.is_heap() || call::is_native_method(cx, v, sym::HASH) => Ok(h),
        _ => keys::hash_of(cx, v),
    }
}

/// The number that `v.hash` is, which is what an Array mixes: an element may answer with another's.
fn hash_element(cx: &mut Cx, v: Value) -> R<u64> {
    match hash::builtin_hash(cx, v) {
        Some(h) if !v.is_heap() || call::is_native_method(cx, v, sym::HASH) => Ok(hash_number(h).fixnum_value() as u64),
        _ if call::is_native_method(cx, v, sym::HASH) => keys::hash_of(cx, v),
        // The program's own `hash` may come back here.
        _ => Ok(recursion::guard(cx, sym::HASH, v, Value::TRUE, |cx| keys::hash_of(cx, v))?.unwrap_or(0)),
    }
}

/// A 64-bit hash as an Integer.
pub fn hash_number(h: u64) -> Value {
    Value::fixnum((h as i64) >> 2)
}

/// Set when a hash under way met what it is the hash of.
static RECURSIVE: AtomicBool = AtomicBool::new(false);

/// The hash of a collection, or of one that contains itself (`None`): all of these have the same, however they are nested.
pub fn settle_hash(cx: &mut Cx, h: Option<u64>) -> Value {
    if h.is_none() {
        RECURSIVE.store(true, Ordering::Relaxed);
    }
    if !RECURSIVE.load(Ordering::Relaxed) {
        return hash_number(h.unwrap_or(0));
    }
    let list = cx.recursion_guard;
    let inside = !list.is_nil() && Arr(list).elements().chunks_exact(3).any(|c| c[0] == sym::HASH.0);
    if !inside {
        RECURSIVE.store(false, Ordering::Relaxed);
    }
    hash_number(0x5eed_5eed)
}

pub fn hash(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let h = recursion::guard(cx, sym::HASH, me, Value::NIL, |cx| {
        let mut h = hash::mix(cx, Arr(me).len() as u64 ^ 0xa77a);
        let mut i = 0;
        while let Some(v) = Arr(me).get(i) {
            let element = hash_element(cx, v)?;
            h = hash::mix(cx, h.rotate_left(17) ^ element);
            i += 1;
        }
        Ok(h)
    })?;
    Ok(settle_hash(cx, h))
}

pub fn compare(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let Some(other) = convert::try_ary(cx, args.at(0))? else { return Ok(Value::NIL) };
    if me == other {
        return Ok(Value::fixnum(0));
    }
    let result = recursion::guard(cx, sym::COMPARE, me, other, |cx| {
        let mut i = 0;
        while let (Some(a), Some(b)) = (Arr(me).get(i), Arr(other).get(i)) {
            let order = call::send(cx, a, sym::COMPARE, &[b])?;
            if order != Value::fixnum(0) {
                return Ok(order);
            }
            i += 1;
        }
        Ok(Value::fixnum(Arr(me).len().cmp(&Arr(other).len()) as i64))
    })?;
    Ok(result.unwrap_or(Value::NIL))
}
