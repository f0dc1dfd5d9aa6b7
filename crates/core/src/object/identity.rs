//! object_id, hash and equality of plain objects.

use abi::Value;
use object::{attachment, bigint, hash};
use runtime::{Args, Cx, R, call, recursion, sym};

/// Ids are multiples of this, so that none of them is the id of an immediate.
const ID_STEP: i64 = 8;

/// The object's id: computed for immediates, assigned in sequence to other objects.
pub fn id_of(cx: &mut Cx, v: Value) -> Value {
    if v.is_fixnum() {
        return bigint::from_i128(cx, v.fixnum_value() as i128 * 2 + 1);
    }
    if !v.is_heap() {
        return match v {
            Value::NIL => Value::fixnum(8),
            Value::TRUE => Value::fixnum(20),
            Value::FALSE => Value::fixnum(0),
            v => bigint::from_u64(cx, v.0),
        };
    }
    let there = attachment::id(cx, v);
    if !there.is_nil() {
        return there;
    }
    // Smaller ids belong to nil, true and false.
    let last = cx.world().last_object_id.max(2 * ID_STEP);
    cx.world_mut().last_object_id = last + ID_STEP;
    let id = Value::fixnum(last + ID_STEP);
    attachment::set_id(cx, v, id);
    id
}

/// The object with this id (`ObjectSpace._id2ref`), if it exists and is alive.
pub fn object_of(cx: &mut Cx, id: Value) -> Option<Value> {
    let number = id.as_fixnum();
    if let Some(n) = number
        && n & 1 == 1
    {
        return Some(Value::fixnum(n >> 1));
    }
    if bigint::is(id) {
        let parts = bigint::parts(&id);
        // Integers beyond half of the fixnum range have ids that are big integers, as have flonums and symbols whose
        // bits exceed a fixnum.
        if parts.limbs.len() == 1 && !parts.negative {
            return immediate_of(cx, parts.limbs[0]);
        }
        return None;
    }
    match number? {
        0 => Some(Value::FALSE),
        8 => Some(Value::NIL),
        20 => Some(Value::TRUE),
        n => immediate_of(cx, n as u64).or_else(|| attachment::find_by_id(cx, id)),
    }
}

/// The flonum or static symbol with these bits, or the fixnum with this id.
fn immediate_of(cx: &Cx, bits: u64) -> Option<Value> {
    let v = Value(bits);
    if v.is_static_symbol() {
        let number = v.static_symbol_number() as usize;
        return (number < cx.world().symbols.static_count()).then_some(v);
    }
    if v.is_flonum() {
        return Some(v);
    }
    if bits & 1 == 1 { Value::try_fixnum((bits >> 1) as i64) } else { None }
}

/// `hash → integer`: of Kernel; by identity, for Integers and Symbols by value. An object whose hash was computed is
/// never moved, so that the hash can be its address.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let mixed = match hash::builtin_hash(cx, me) {
        Some(mixed) => mixed,
        None => hash::hash_by_identity(cx, me),
    };
    Ok(Value::fixnum(hash::number_of(mixed)))
}

/// `===(other) → true or false`: whether both are the same object or equal by `==`.
pub fn case_equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    Ok(Value::bool(me == other || call::send(cx, me, sym::EQ, &[other])?.truthy()))
}

/// `self <=> other → 0 or nil`: 0 if both are the same object or equal by `==`, otherwise nil.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::fixnum(0));
    }
    let equal = recursion::guard(cx, sym::COMPARE, me, other, |cx| call::send(cx, me, sym::EQ, &[other]))?;
    Ok(if equal.is_some_and(Value::truthy) { Value::fixnum(0) } else { Value::NIL })
}
