//! Reading entries.

use abi::Value;
use object::hash::HashRef;
use runtime::{
    Args, Cx, R, call, keys,
    make::{self, OrRaise},
    special, sym,
};

use super::create::plain;
use crate::array::read::dig_on;

/// `hash[key]`, with the default.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    lookup(cx, args.me(), args.at(0))
}

pub fn lookup(cx: &mut Cx, me: Value, key: Value) -> R {
    if let Some(v) = keys::get(cx, me, key)? {
        return Ok(v);
    }
    if !call::is_native_method(cx, me, sym::DEFAULT) {
        return call::send(cx, me, sym::DEFAULT, &[key]);
    }
    let default = HashRef::of(me).default();
    if HashRef::of(me).default_is_proc() { call::send(cx, default, sym::CALL, &[me, key]) } else { Ok(default) }
}

/// `fetch(key)`, `fetch(key, default)`, `fetch(key) { |key| }`: KeyError for a key that is not there.
pub fn fetch(cx: &mut Cx, args: Args) -> R {
    if let Some(v) = keys::get(cx, args.me(), args.at(0))? {
        return Ok(v);
    }
    let block = args.block(cx);
    if block.is_none() {
        return args.opt(1).ok_or_else(|| keys::key_not_found(cx, args.me(), args.at(0)));
    }
    if args.len() > 1 {
        special::warn_here(cx, "block supersedes default value argument")?;
    }
    call::yield_one(cx, block, args.at(0))
}

pub fn has_key(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(keys::get(cx, args.me(), args.at(0))?.is_some()))
}

pub fn has_value(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(find_value(cx, args.me(), args.at(0))?.is_some()))
}

fn find_value(cx: &mut Cx, me: Value, wanted: Value) -> R<Option<(Value, Value)>> {
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(me).next(at) {
        if call::equal(cx, value, wanted)? {
            return Ok(Some((key, value)));
        }
        at = next;
    }
    Ok(None)
}

pub fn key_of(cx: &mut Cx, args: Args) -> R {
    Ok(find_value(cx, args.me(), args.at(0))?.map_or(Value::NIL, |(key, _)| key))
}

pub fn length(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(HashRef::of(args.me()).len() as i64))
}

pub fn is_empty(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(HashRef::of(args.me()).is_empty()))
}

pub fn keys(cx: &mut Cx, args: Args) -> R {
    Ok(HashRef::of(args.me()).keys(cx).or_raise(cx)?.value())
}

pub fn values(cx: &mut Cx, args: Args) -> R {
    Ok(HashRef::of(args.me()).values(cx).or_raise(cx)?.value())
}

pub fn values_at(cx: &mut Cx, args: Args) -> R {
    let result = make::array(cx, &[]);
    for key in args.all() {
        let v = lookup(cx, args.me(), *key)?;
        make::push(cx, result, v);
    }
    Ok(result)
}

pub fn dig(cx: &mut Cx, args: Args) -> R {
    let v = call::send(cx, args.me(), sym::AREF, &[args.at(0)])?;
    dig_on(cx, v, args.from(1))
}

pub fn assoc(cx: &mut Cx, args: Args) -> R {
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(args.me()).next(at) {
        if call::equal(cx, args.at(0), key)? {
            return Ok(make::array(cx, &[key, value]));
        }
        at = next;
    }
    Ok(Value::NIL)
}

pub fn rassoc(cx: &mut Cx, args: Args) -> R {
    match find_value(cx, args.me(), args.at(0))? {
        Some((key, value)) => Ok(make::array(cx, &[key, value])),
        None => Ok(Value::NIL),
    }
}

pub fn to_a(cx: &mut Cx, args: Args) -> R {
    let result = make::array(cx, &[]);
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(args.me()).next(at) {
        let pair = make::array(cx, &[key, value]);
        make::push(cx, result, pair);
        at = next;
    }
    Ok(result)
}

/// A Hash without entries that compares keys as `like` does.
pub fn empty_like(cx: &mut Cx, like: Value) -> Value {
    if HashRef::of(like).is_by_identity() { object::hash::new_identity(cx) } else { HashRef::new(cx).value() }
}

pub fn slice(cx: &mut Cx, args: Args) -> R {
    let result = empty_like(cx, args.me());
    for key in args.all() {
        if let Some(v) = keys::get(cx, args.me(), *key)? {
            keys::store(cx, result, *key, v)?;
        }
    }
    Ok(result)
}

pub fn except(cx: &mut Cx, args: Args) -> R {
    let copied = HashRef::with_entries_of(cx, HashRef::of(args.me()));
    let copy = plain(cx, copied)?.value();
    for key in args.all() {
        keys::delete(cx, copy, *key)?;
    }
    Ok(copy)
}
