//! object_id, hash and equality of plain objects.

use abi::Value;
use object::{Sym, bigint, hash, shape::ivars, symbol};
use runtime::{Args, Cx, R, call, recursion, sym};

/// The hidden variable that keeps an object's id.
fn id_name(cx: &mut Cx) -> Sym {
    symbol::table::intern_text(cx, "__object_id")
}

/// The object's id: computed for immediates, given out in order to others.
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
    let name = id_name(cx);
    let there = ivars::get(cx, v, name);
    if !there.is_undef() {
        return there;
    }
    let last = cx.root("last object id");
    let id = Value::fixnum(if last.is_fixnum() { last.fixnum_value() + 8 } else { 16 });
    cx.set_root("last object id", id);
    ivars::set_hidden(cx, v, name, id);
    id
}

/// Kernel#hash: by identity.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let mixed = match hash::builtin_hash(cx, me) {
        Some(mixed) => mixed,
        None => hash::mix(cx, me.0),
    };
    Ok(Value::fixnum((mixed as i64) >> 2))
}

/// `===`: the same object or `==`.
pub fn case_equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    Ok(Value::bool(me == other || call::send(cx, me, sym::EQ, &[other])?.truthy()))
}

/// `<=>`: 0 for what is the same or equal, else nil.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::fixnum(0));
    }
    let equal = recursion::guard(cx, sym::COMPARE, me, other, |cx| call::send(cx, me, sym::EQ, &[other]))?;
    Ok(if equal.is_some_and(Value::truthy) { Value::fixnum(0) } else { Value::NIL })
}
