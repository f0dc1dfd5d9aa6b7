//! Reading entries.

use abi::{Type, Value};
use object::{cell, hash::HashRef};
use runtime::{Args, Cx, R, call, error::OrRaise, instructions::index, keys, make, sym};

use super::create::plain;
use crate::array::read::dig_on;

/// `self[key] → object`: the value of the key, otherwise the result of `default`, which is called only if a program has
/// redefined it.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    lookup(cx, args.me(), args.at(0))
}

pub fn lookup(cx: &mut Cx, me: Value, key: Value) -> R {
    if let Some(v) = keys::get(cx, me, key)? {
        return Ok(v);
    }
    if !keys::has_plain_default(cx, me) && !call::is_native_method(cx, me, sym::DEFAULT) {
        return call::send(cx, me, sym::DEFAULT, &[key]);
    }
    let default = HashRef::of(me).default();
    match HashRef::of(me).default_is_proc() {
        false => Ok(default),
        true if call::is_native_method(cx, default, sym::CALL) => call::block::call_proc(cx, default, &[me, key]),
        true => call::send(cx, default, sym::CALL, &[me, key]),
    }
}

/// `fetch(key)`, `fetch(key, default) → object`: the value of the key, otherwise the default, if the key can be
/// compared without Ruby code; others, blocks and the KeyError are left to the Ruby half.
pub fn quick_fetch(cx: &mut Cx, args: Args) -> R {
    Ok(match index::find(cx, HashRef::of(args.me()), args.at(0)) {
        Some(Some(v)) => v,
        Some(None) => args.get(1),
        None => Value::UNDEF,
    })
}

/// `key?(key) → true or false`: whether the key has an entry, regardless of the default. Aliases: `include?`,
/// `member?`, `has_key?`.
pub fn has_key(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(keys::get(cx, args.me(), args.at(0))?.is_some()))
}

/// `value?(value) → true or false`: whether an entry's value equals the given one by `==`; searches all entries. Alias:
/// `has_value?`.
pub fn has_value(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(find_value(cx, args.me(), args.at(0))?.is_some()))
}

fn find_value(cx: &mut Cx, me: Value, wanted: Value) -> R<Option<(Value, Value)>> {
    find_entry(cx, me, |cx, _, value| call::equal(cx, value, wanted))
}

/// The first entry for whose key and value the test is true.
fn find_entry(
    cx: &mut Cx,
    me: Value,
    mut is_it: impl FnMut(&mut Cx, Value, Value) -> R<bool>,
) -> R<Option<(Value, Value)>> {
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(me).next(at) {
        if is_it(cx, key, value)? {
            return Ok(Some((key, value)));
        }
        at = next;
    }
    Ok(None)
}

/// An entry as an Array.
fn pair(cx: &mut Cx, entry: Option<(Value, Value)>) -> Value {
    entry.map_or(Value::NIL, |(key, value)| make::array(cx, &[key, value]))
}

/// `key(value) → object or nil`: the key of the first entry whose value equals the given one by `==`.
pub fn key_of(cx: &mut Cx, args: Args) -> R {
    Ok(find_value(cx, args.me(), args.at(0))?.map_or(Value::NIL, |(key, _)| key))
}

/// `length → integer`: the number of entries. Alias: `size`.
pub fn length(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(HashRef::of(args.me()).len() as i64))
}

/// `empty? → true or false`: whether there are no entries.
pub fn is_empty(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(HashRef::of(args.me()).is_empty()))
}

/// `keys → array`: the keys in the order of their insertion.
pub fn keys(cx: &mut Cx, args: Args) -> R {
    Ok(HashRef::of(args.me()).keys(cx).or_raise(cx)?.value())
}

/// `values → array`: the values in the order of their keys' insertion.
pub fn values(cx: &mut Cx, args: Args) -> R {
    Ok(HashRef::of(args.me()).values(cx).or_raise(cx)?.value())
}

/// `values_at(*keys) → array`: the values of the keys, with the default for missing keys.
pub fn values_at(cx: &mut Cx, args: Args) -> R {
    let result = make::array(cx, &[]);
    for key in args.all() {
        let v = lookup(cx, args.me(), *key)?;
        make::push(cx, result, v);
    }
    Ok(result)
}

/// `dig(key, *rest) → object or nil`: `self[key]`, then `dig` of the result with the remaining keys; nil as soon as a
/// step returns nil. TypeError if a result has no `dig`.
pub fn dig(cx: &mut Cx, args: Args) -> R {
    let v = lookup(cx, args.me(), args.at(0))?;
    dig_on(cx, v, args.from(1))
}

/// `assoc(key) → array or nil`: key and value of the first entry whose key equals the given one by `==`; searches all
/// entries unless the key is a String or a Symbol.
pub fn assoc(cx: &mut Cx, args: Args) -> R {
    let (me, key) = (HashRef::of(args.me()), args.at(0));
    // Of Strings and Symbols, those that are equal are the same key.
    let is_name = cell::is(key, Type::String) || cell::is(key, Type::Symbol) || key.is_static_symbol();
    let found = if is_name && !me.is_by_identity() && call::is_native_method(cx, key, sym::EQ) {
        let position = me.position(cx, key);
        keys::raise(cx, position)?.and_then(|position| me.entry_at(position))
    } else {
        find_entry(cx, args.me(), |cx, other, _| call::equal(cx, key, other))?
    };
    Ok(pair(cx, found))
}

/// `rassoc(value) → array or nil`: key and value of the first entry whose value equals the given one by `==`.
/// Unlike in `key` and `value?`, the given one is asked.
pub fn rassoc(cx: &mut Cx, args: Args) -> R {
    let found = find_entry(cx, args.me(), |cx, _, value| call::equal(cx, args.at(0), value))?;
    Ok(pair(cx, found))
}

/// `to_a → array`: an array of key and value for each entry.
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

/// `flatten(depth = 1) → array`: the keys and values in turn; another depth is left to the Ruby half.
pub fn flatten(cx: &mut Cx, args: Args) -> R {
    if args.opt(0).is_some_and(|depth| depth != Value::fixnum(1)) {
        return Ok(Value::UNDEF);
    }
    let me = HashRef::of(args.me());
    let entries = me.entries().flat_map(|(key, value)| [key, value]);
    Ok(make::collected(cx, me.len() * 2, entries))
}

/// A Hash without entries that compares keys like `like`.
pub fn empty_like(cx: &mut Cx, like: Value) -> Value {
    if HashRef::of(like).is_by_identity() { object::hash::new_identity(cx) } else { HashRef::new(cx).value() }
}

/// `slice(*keys) → hash`: a new hash with the entries of the given keys, in the order of the arguments, without the
/// default.
pub fn slice(cx: &mut Cx, args: Args) -> R {
    let result = empty_like(cx, args.me());
    for key in args.all() {
        if let Some(v) = keys::get(cx, args.me(), *key)? {
            keys::store(cx, result, *key, v)?;
        }
    }
    Ok(result)
}

/// `except(*keys) → hash`: a new hash without the entries of the given keys, and without the default.
pub fn except(cx: &mut Cx, args: Args) -> R {
    let copied = HashRef::with_entries_of(cx, HashRef::of(args.me()));
    let copy = plain(cx, copied)?.value();
    for key in args.all() {
        keys::delete(cx, copy, *key)?;
    }
    Ok(copy)
}
