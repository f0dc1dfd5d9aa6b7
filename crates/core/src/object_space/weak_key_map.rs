//! ObjectSpace::WeakKeyMap: weak keys, compared like those of a Hash, and strong values.

use object::weak_map::{self, Strength};
use runtime::{Args, Cx, Method, R, Value, call, keys, make};

use super::weak_map::{each_entry, with};

pub const METHODS: &[Method] = &[
    Method::new("[](key)", get),
    Method::new("[]=(key, value)", set),
    Method::new("delete(key) { |key| }", delete),
    Method::new("getkey(key)", getkey),
    Method::new("key?(key)", has_key),
    Method::new("clear", clear),
    Method::new("inspect", inspect),
];

pub const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

/// `ObjectSpace::WeakKeyMap.allocate → map`: an empty map.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(weak_map::new(cx, args.me(), Strength::Key))
}

/// The position, the key and the value of an equal key. The program's `eql?` may change the map: the search continues
/// from its position, because the links between entries stay valid during an iteration.
fn find(cx: &mut Cx, me: Value, key: Value, hash: u64) -> R<Option<(usize, Value, Value)>> {
    weak_map::iterating(me, 1);
    let found = find_by_hash(cx, me, key, hash);
    weak_map::iterating(me, -1);
    found
}

fn find_by_hash(cx: &mut Cx, me: Value, key: Value, hash: u64) -> R<Option<(usize, Value, Value)>> {
    let mut at = with(cx, me, |_, entries| entries.candidate(hash, None))?;
    while let Some(position) = at {
        if let Some((there, _)) = with(cx, me, |cx, entries| entries.entry(cx, position))?
            && (there == key || call::eql(cx, key, there)?)
            && let Some((there, value)) = with(cx, me, |cx, entries| entries.entry(cx, position))?
        {
            return Ok(Some((position, there, value)));
        }
        at = with(cx, me, |_, entries| entries.candidate(hash, Some(position)))?;
    }
    Ok(None)
}

fn look_up(cx: &mut Cx, args: Args) -> R<Option<(usize, Value, Value)>> {
    let (me, key) = (args.me(), args.at(0));
    if !key.is_heap() {
        return Ok(None);
    }
    let hash = hash_of(cx, key)?;
    find(cx, me, key, hash)
}

fn hash_of(cx: &mut Cx, key: Value) -> R<u64> {
    keys::hash_of(cx, key)
}

/// `[](key) → object or nil`: the value of a key that is equal by `hash` and `eql?`; nil if there is none, or if it has
/// been collected.
fn get(cx: &mut Cx, args: Args) -> R {
    Ok(look_up(cx, args)?.map_or(Value::NIL, |(_, _, value)| value))
}

/// Whether the key can be collected. Numbers and symbols can be recreated at any time, so their death is not
/// observable.
fn is_collectable(key: Value) -> bool {
    use abi::Type::{BigInteger, Float, Symbol};
    key.is_heap() && !matches!(object::cell::header(key).ty(), Float | BigInteger | Symbol)
}

/// `self[key] = value`: keeps the value as long as the key is alive. ArgumentError for keys that are never collected.
fn set(cx: &mut Cx, args: Args) -> R {
    let (me, key, value) = (args.me(), args.at(0), args.at(1));
    if !is_collectable(key) {
        return Err(cx.argument_error("WeakKeyMap keys must be garbage collectable"));
    }
    let hash = hash_of(cx, key)?;
    match find(cx, me, key, hash)? {
        Some((at, _, _)) => weak_map::replace(cx, me, at, key, value),
        None => weak_map::insert(cx, me, hash, key, value),
    }
    Ok(value)
}

/// `delete(key) { |key| } → object or nil`: removes the entry of an equal key and returns its value; for a missing key,
/// returns the block's result for the key, or nil.
fn delete(cx: &mut Cx, args: Args) -> R {
    if let Some((at, _, value)) = look_up(cx, args)? {
        with(cx, args.me(), |_, entries| entries.remove(at))?;
        return Ok(value);
    }
    let block = args.block(cx);
    if block.is_none() { Ok(Value::NIL) } else { call::yield_one(cx, block, args.at(0)) }
}

/// `getkey(key) → object or nil`: the key in the map that equals this one; nil if there is none.
fn getkey(cx: &mut Cx, args: Args) -> R {
    Ok(look_up(cx, args)?.map_or(Value::NIL, |(_, key, _)| key))
}

/// `key?(key) → true or false`: whether the map has a key that is equal by `hash` and `eql?` and has not been
/// collected.
fn has_key(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(look_up(cx, args)?.is_some()))
}

/// `clear → self`: removes all entries.
fn clear(cx: &mut Cx, args: Args) -> R {
    with(cx, args.me(), |_, entries| entries.clear())?;
    Ok(args.me())
}

/// `inspect → string`: the class, the address and the number of entries.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let mut count = 0;
    each_entry(cx, args.me(), |_, _, _| {
        count += 1;
        Ok(())
    })?;
    let head = runtime::define::any_to_text(cx, args.me());
    Ok(make::described(cx, &format!("{} size={count}>", head.trim_end_matches('>'))))
}
