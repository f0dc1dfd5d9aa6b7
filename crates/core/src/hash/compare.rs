//! `==`, `eql?`, `hash`, subsets.

use abi::{Type, Value};
use object::{
    cell,
    hash::{self, HashRef},
};
use runtime::{Args, Cx, R, call, keys, recursion, sym};

use crate::array::hash_value;

/// `==(other) → true or false`: the same number of entries, and for each key a value equal by `==`, in any order. An
/// `other` that is not a Hash but has `to_hash` is compared by its own `==`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !cell::is(other, Type::Hash) {
        if !call::responds(cx, other, sym::TO_HASH, false)? {
            return Ok(Value::FALSE);
        }
        return Ok(Value::bool(call::equal(cx, other, me)?));
    }
    same(cx, me, other, false)
}

/// `eql?(other) → true or false`: like `==`, but the values are compared by `eql?`.
pub fn eql(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !cell::is(other, Type::Hash) {
        if !call::responds(cx, other, sym::TO_HASH, false)? {
            return Ok(Value::FALSE);
        }
        return Ok(Value::bool(call::eql(cx, other, me)?));
    }
    same(cx, me, other, true)
}

fn same(cx: &mut Cx, me: Value, other: Value, strict: bool) -> R {
    if HashRef::of(me).len() != HashRef::of(other).len() {
        return Ok(Value::FALSE);
    }
    if HashRef::of(me).is_empty() {
        return Ok(Value::TRUE);
    }
    if HashRef::of(me).is_by_identity() != HashRef::of(other).is_by_identity() {
        return Ok(Value::FALSE);
    }
    let by = if strict { sym::EQL } else { sym::EQ };
    let result = recursion::guard(cx, by, me, other, |cx| contains_all(cx, other, me, strict))?;
    Ok(Value::bool(result.unwrap_or(true)))
}

/// Whether `table` contains all entries of `part`.
fn contains_all(cx: &mut Cx, table: Value, part: Value, strict: bool) -> R<bool> {
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(part).next(at) {
        let found = HashRef::of(table).get_entry(cx, HashRef::of(part), next - 1, key);
        let Some(found) = keys::raise(cx, found)? else { return Ok(false) };
        let same = if strict { call::eql(cx, value, found)? } else { call::equal(cx, value, found)? };
        if !same {
            return Ok(false);
        }
        at = next;
    }
    Ok(true)
}

/// `hash → integer`: equal for hashes that are `eql?`, regardless of the order of their entries.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let h = recursion::guard(cx, sym::HASH, me, Value::NIL, |cx| {
        let mut total = HashRef::of(me).len() as u64;
        let mut at = 0;
        while let Some((next, key, value)) = HashRef::of(me).next(at) {
            let key = hash_value(cx, key)?;
            let value = hash_value(cx, value)?;
            total = total.wrapping_add(hash::mix(cx, hash::mix(cx, key).rotate_left(7) ^ value));
            at = next;
        }
        Ok(hash::mix(cx, total))
    })?;
    Ok(crate::array::finish_hash(cx, h))
}

fn subset(cx: &mut Cx, part: Value, whole: Value, proper: bool) -> R {
    let (a, b) = (HashRef::of(part).len(), HashRef::of(whole).len());
    if a > b || (proper && a == b) {
        return Ok(Value::FALSE);
    }
    Ok(Value::bool(contains_all(cx, whole, part, false)?))
}

/// `self <= other → true or false`: whether `other` contains all entries of the receiver. TypeError unless it is a Hash
/// or has `to_hash`.
pub fn is_subset(cx: &mut Cx, args: Args) -> R {
    let other = args.hash(cx, 0)?;
    subset(cx, args.me(), other.value(), false)
}

/// `self < other → true or false`: whether `other` contains all entries of the receiver and at least one more.
/// TypeError unless it is a Hash or has `to_hash`.
pub fn is_proper_subset(cx: &mut Cx, args: Args) -> R {
    let other = args.hash(cx, 0)?;
    subset(cx, args.me(), other.value(), true)
}

/// `self >= other → true or false`: whether the receiver contains all entries of `other`. TypeError unless `other` is a
/// Hash or has `to_hash`.
pub fn is_superset(cx: &mut Cx, args: Args) -> R {
    let other = args.hash(cx, 0)?;
    subset(cx, other.value(), args.me(), false)
}

/// `self > other → true or false`: whether the receiver contains all entries of `other` and at least one more.
/// TypeError unless `other` is a Hash or has `to_hash`.
pub fn is_proper_superset(cx: &mut Cx, args: Args) -> R {
    let other = args.hash(cx, 0)?;
    subset(cx, other.value(), args.me(), true)
}
