//! `==`, `eql?`, `hash`, `<=>`.

use std::sync::atomic::{AtomicBool, Ordering};

use abi::{Type, Value};
use object::{array::Arr, cell, hash};
use runtime::{
    Args, Cx, R, call, convert,
    equality::{self, By, Runs},
    keys, order, recursion, sym,
};

/// `==(other) → true or false`: the same length, and each pair of elements equal by `==`. An `other` that is not an
/// Array but has `to_ary` is compared by its own `==`.
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
    same(cx, me, other, By::Equal)
}

/// `eql?(other) → true or false`: the same length, and each pair of elements equal by `eql?`. `to_ary` is not called.
pub fn eql(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !cell::is(other, Type::Array) {
        return Ok(Value::FALSE);
    }
    same(cx, me, other, By::Eql)
}

fn same(cx: &mut Cx, me: Value, other: Value, by: By) -> R {
    match equality::compare_runs(cx, me, other, 0, by) {
        Runs::Same => Ok(Value::TRUE),
        Runs::Differ => Ok(Value::FALSE),
        Runs::NeedsCall(from) => {
            let name = if by == By::Equal { sym::EQ } else { sym::EQL };
            let result = recursion::guard(cx, name, me, other, |cx| same_from(cx, me, other, from, by))?;
            Ok(Value::bool(result.unwrap_or(true)))
        }
    }
}

/// Whether the elements from an index on are the same; the first one is compared by its `==` or `eql?` method.
fn same_from(cx: &mut Cx, me: Value, other: Value, from: usize, by: By) -> R<bool> {
    let mut i = from;
    while let (Some(a), Some(b)) = (Arr::of(me).get(i), Arr::of(other).get(i)) {
        let equal = if by == By::Equal { call::equal(cx, a, b)? } else { call::eql(cx, a, b)? };
        if !equal {
            return Ok(false);
        }
        match equality::compare_runs(cx, me, other, i + 1, by) {
            Runs::Same => return Ok(true),
            Runs::Differ => return Ok(false),
            Runs::NeedsCall(at) => i = at,
        }
    }
    Ok(Arr::of(me).len() == Arr::of(other).len())
}

/// The result of `v.hash` as a word, computed without a call for core classes.
pub fn hash_value(cx: &mut Cx, v: Value) -> R<u64> {
    match simple_hash(cx, v) {
        Some(h) => Ok(h),
        None => keys::hash_of(cx, v),
    }
}

/// The same for values that contain no others, and have the core's `hash`.
pub fn simple_hash(cx: &mut Cx, v: Value) -> Option<u64> {
    let h = hash::builtin_hash(cx, v)?;
    (!v.is_heap() || call::is_native_method(cx, v, sym::HASH)).then(|| hash::number_of(h) as u64)
}

/// The result of `v.hash` as a word, to be mixed into the hash of the Array that contains `v`.
fn hash_element(cx: &mut Cx, v: Value) -> R<u64> {
    match simple_hash(cx, v) {
        Some(h) => Ok(h),
        None if call::is_native_method(cx, v, sym::HASH) => keys::hash_of(cx, v),
        // A program's own `hash` may recurse.
        None => Ok(recursion::guard(cx, sym::HASH, v, Value::TRUE, |cx| keys::hash_of(cx, v))?.unwrap_or(0)),
    }
}

/// A 64-bit hash as an Integer.
pub fn hash_number(h: u64) -> Value {
    Value::fixnum((h as i64) >> 2)
}

/// Set when a hash in progress encountered the object itself.
static RECURSIVE: AtomicBool = AtomicBool::new(false);

/// The result of `hash` for a collection with the hash `h`; `None` means that the collection contains itself. All such
/// collections have the same hash, however they are nested.
pub fn finish_hash(cx: &mut Cx, h: Option<u64>) -> Value {
    if h.is_none() {
        RECURSIVE.store(true, Ordering::Relaxed);
    }
    if !RECURSIVE.load(Ordering::Relaxed) {
        return hash_number(h.unwrap_or(0));
    }
    if !recursion::is_running(cx, sym::HASH) {
        RECURSIVE.store(false, Ordering::Relaxed);
    }
    hash_number(0x5eed_5eed)
}

/// `hash → integer`: equal for arrays that are `eql?`. It mixes the length and the elements' `hash`; an array within
/// itself counts as a constant.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if let Some(h) = keys::known_hash(cx, me) {
        return Ok(hash_number(h));
    }
    let h = recursion::guard(cx, sym::HASH, me, Value::NIL, |cx| {
        let mut h = keys::array_hash_start(cx, Arr::of(me).len());
        let mut i = 0;
        while let Some(v) = Arr::of(me).get(i) {
            let element = hash_element(cx, v)?;
            h = keys::array_hash_step(cx, h, element);
            i += 1;
        }
        Ok(h)
    })?;
    Ok(finish_hash(cx, h))
}

/// `self <=> other → integer or nil`: the first `<=>` of a pair of elements that is not 0, otherwise the `<=>` of the
/// lengths. nil unless `other` is an Array or has `to_ary`. Of arrays that contain themselves, only the lengths are
/// compared.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let Some(other) = convert::try_ary(cx, args.at(0))? else { return Ok(Value::NIL) };
    if me == other.value() {
        return Ok(Value::fixnum(0));
    }
    if let Some(order) = order::order_of(cx, me, other.value()) {
        return Ok(Value::fixnum(order as i64));
    }
    let result = recursion::guard(cx, sym::COMPARE, me, other.value(), |cx| {
        // An element's `<=>` may shorten an array: the elements that are gone count as nil.
        let common = Arr::of(me).len().min(other.len());
        for i in 0..common {
            let (a, b) = (Arr::of(me).get(i).unwrap_or(Value::NIL), other.get(i).unwrap_or(Value::NIL));
            let order = call::send(cx, a, sym::COMPARE, &[b])?;
            if order != Value::fixnum(0) {
                return Ok(order);
            }
        }
        Ok(Value::fixnum(Arr::of(me).len().cmp(&other.len()) as i64))
    })?;
    // Of arrays that contain themselves, only the lengths are compared.
    Ok(result.unwrap_or_else(|| Value::fixnum(Arr::of(me).len().cmp(&other.len()) as i64)))
}
