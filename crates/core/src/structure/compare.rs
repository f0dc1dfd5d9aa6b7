//! `==`, `eql?`, `hash` of Struct and Data.

use abi::Value;
use object::{Sym, class, hash, structure};
use runtime::{Args, Cx, R, call, keys, recursion, sym};

use crate::array::{finish_hash, hash_value, simple_hash};

/// `==(other) → true or false`: of Struct and Data; whether both have the same class, and their members are equal by
/// `==`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    same(cx, args, sym::EQ, call::equal)
}

/// `eql?(other) → true or false`: of Struct and Data; whether both have the same class, and their members are equal by
/// `eql?`.
pub fn eql(cx: &mut Cx, args: Args) -> R {
    same(cx, args, sym::EQL, call::eql)
}

fn same(cx: &mut Cx, args: Args, by: Sym, test: fn(&mut Cx, Value, Value) -> R<bool>) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !object::cell::is(other, abi::Type::Struct) || class::real_class(cx, me) != class::real_class(cx, other) {
        return Ok(Value::FALSE);
    }
    let result = recursion::guard(cx, by, me, other, |cx| {
        for i in 0..structure::members(&me).len() {
            let (Some(a), Some(b)) = (structure::get(me, i), structure::get(other, i)) else { return Ok(false) };
            if !test(cx, a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(Value::bool(result.unwrap_or(true)))
}

/// `hash → integer`: of Struct and Data; equal for instances that are `eql?`; a recursive one counts as a constant.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let of = class::real_class(cx, me);
    if let Some(h) = flat_hash(cx, me, of) {
        return Ok(finish_hash(cx, Some(h)));
    }
    let h = recursion::guard(cx, sym::HASH, me, Value::NIL, |cx| {
        let of = hash_value(cx, of)?;
        mixed(cx, me, of, hash_value)
    })?;
    Ok(finish_hash(cx, h))
}

/// The hash of an instance whose members contain no other objects.
fn flat_hash(cx: &mut Cx, me: Value, of: Value) -> Option<u64> {
    let of = keys::known_hash(cx, of).map(|h| hash::number_of(h) as u64)?;
    mixed(cx, me, of, |cx, member| simple_hash(cx, member).ok_or(())).ok()
}

/// The hash of a class mixed with those of an instance's members.
fn mixed<E>(cx: &mut Cx, me: Value, of: u64, hash_of: impl Fn(&mut Cx, Value) -> Result<u64, E>) -> Result<u64, E> {
    let mut h = of;
    for i in 0..structure::members(&me).len() {
        let member = hash_of(cx, structure::get(me, i).unwrap_or(Value::NIL))?;
        h = hash::mix(cx, h.rotate_left(13) ^ member);
    }
    Ok(h)
}
