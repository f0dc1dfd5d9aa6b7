//! ObjectSpace::WeakMap: weak keys and values, compared by identity.

use memory::Grow;
use object::weak_map::{self, Entries, Strength};
use runtime::{Args, Cx, Method, R, Value, call, convert, make};

pub const METHODS: &[Method] = &[
    Method::new("[](key)", get),
    Method::new("[]=(key, value)", set),
    Method::new("delete(key) { |key| }", delete),
    Method::new("include?(key)", has_key),
    Method::new("inspect", inspect),
    Method::new("each { |key, value| }", each_pair),
    Method::new("each_key { |key| }", each_key),
    Method::new("each_value { |value| }", each_value),
    Method::new("keys", keys),
    Method::new("values", values),
    Method::new("size", size),
];

pub const ALIASES: &[(&str, &str)] =
    &[("member?", "include?"), ("key?", "include?"), ("each_pair", "each"), ("length", "size")];

pub const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

/// `ObjectSpace::WeakMap.allocate → map`: an empty map.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(weak_map::new(cx, args.me(), Strength::Both))
}

/// The results of `f` for the entries of the receiver.
pub fn with<T>(cx: &mut Cx, me: Value, f: impl FnOnce(&mut Cx, &mut Entries) -> T) -> R<T> {
    match weak_map::with(me, |entries| f(cx, entries)) {
        Some(result) => Ok(result),
        None => {
            let class = runtime::error::class_name_of(cx, me);
            Err(cx.type_error(&format!("wrong argument type {class} (expected a weak map)")))
        }
    }
}

/// The position of a key, and its value.
fn find(cx: &mut Cx, me: Value, key: Value) -> R<Option<(usize, Value)>> {
    with(cx, me, |cx, entries| {
        let mut at = entries.candidate(key.0, None);
        while let Some(position) = at {
            if let Some((k, value)) = entries.entry(cx, position)
                && k == key
            {
                return Some((position, value));
            }
            at = entries.candidate(key.0, Some(position));
        }
        None
    })
}

/// `[](key) → object or nil`: the value of a key, compared by identity; nil if there is none, or if either has been
/// collected.
fn get(cx: &mut Cx, args: Args) -> R {
    Ok(find(cx, args.me(), args.at(0))?.map_or(Value::NIL, |(_, value)| value))
}

/// `self[key] = value`: keeps the entry as long as both the key and the value are alive.
fn set(cx: &mut Cx, args: Args) -> R {
    let (me, key, value) = (args.me(), args.at(0), args.at(1));
    match find(cx, me, key)? {
        Some((at, _)) => weak_map::replace(cx, me, at, key, value),
        None => weak_map::insert(cx, me, key.0, key, value),
    }
    Ok(value)
}

/// `delete(key) { |key| } → object or nil`: removes the entry of a key, compared by identity, and returns its value;
/// for a missing key, returns the block's result for the key, or nil.
fn delete(cx: &mut Cx, args: Args) -> R {
    if let Some((at, value)) = find(cx, args.me(), args.at(0))? {
        with(cx, args.me(), |_, entries| entries.remove(at))?;
        return Ok(value);
    }
    let block = args.block(cx);
    if block.is_none() { Ok(Value::NIL) } else { call::yield_one(cx, block, args.at(0)) }
}

/// `include?(key) → true or false`: whether the map has the key, compared by identity, with a value that has not been
/// collected. Aliases: `member?`, `key?`.
fn has_key(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(find(cx, args.me(), args.at(0))?.is_some()))
}

/// Calls `f` with each entry. Entries may be added and removed meanwhile.
pub fn each_entry(cx: &mut Cx, me: Value, mut f: impl FnMut(&mut Cx, Value, Value) -> R<()>) -> R<()> {
    weak_map::iterating(me, 1);
    let mut at = 0;
    let mut result = Ok(());
    while result.is_ok() {
        let next = with(cx, me, |cx, entries| (at < entries.positions()).then(|| entries.entry(cx, at)));
        match next {
            Ok(Some(Some((key, value)))) => result = f(cx, key, value),
            Ok(Some(None)) => {}
            Ok(None) => break,
            Err(unwind) => result = Err(unwind),
        }
        at += 1;
    }
    weak_map::iterating(me, -1);
    result
}

fn each_with(cx: &mut Cx, args: Args, wanted: fn(Value, Value) -> (Value, Option<Value>)) -> R {
    let (me, block) = (args.me(), args.block(cx));
    each_entry(cx, me, |cx, key, value| {
        if block.is_none() {
            return Err(cx.raise(runtime::error::ErrorClass::LocalJumpError, "no block given"));
        }
        match wanted(key, value) {
            (one, None) => call::yield_one(cx, block, one)?,
            (one, Some(other)) => call::yield_values(cx, block, &[one, other])?,
        };
        Ok(())
    })?;
    Ok(me)
}

/// `each { |key, value| } → self`: yields the entries that have not been collected. LocalJumpError without a block if
/// there are any. Alias: `each_pair`.
fn each_pair(cx: &mut Cx, args: Args) -> R {
    each_with(cx, args, |key, value| (key, Some(value)))
}

/// `each_key { |key| } → self`: yields the keys of the entries that have not been collected. LocalJumpError without a
/// block if there are any.
fn each_key(cx: &mut Cx, args: Args) -> R {
    each_with(cx, args, |key, _| (key, None))
}

/// `each_value { |value| } → self`: yields the values of the entries that have not been collected. LocalJumpError
/// without a block if there are any.
fn each_value(cx: &mut Cx, args: Args) -> R {
    each_with(cx, args, |_, value| (value, None))
}

/// `keys → array`: the keys of the entries that have not been collected.
fn keys(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    each_entry(cx, args.me(), |cx, key, _| {
        make::push(cx, list, key);
        Ok(())
    })?;
    Ok(list)
}

/// `values → array`: the values of the entries that have not been collected.
fn values(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    each_entry(cx, args.me(), |cx, _, value| {
        make::push(cx, list, value);
        Ok(())
    })?;
    Ok(list)
}

/// `size → integer`: the number of entries that have not been collected. Alias: `length`.
fn size(cx: &mut Cx, args: Args) -> R {
    let mut count = 0;
    each_entry(cx, args.me(), |_, _, _| {
        count += 1;
        Ok(())
    })?;
    Ok(Value::fixnum(count))
}

/// `inspect → string`: the entries; objects are shown as class and address only.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let head = runtime::define::any_to_text(cx, args.me());
    let mut text = head.trim_end_matches('>').to_string();
    let mut separator = ": ";
    each_entry(cx, args.me(), |cx, key, value| {
        let (key, value) = (shown(cx, key)?, shown(cx, value)?);
        text.push_str(&format!("{separator}{key} => {value}"));
        separator = ", ";
        Ok(())
    })?;
    text.append_one('>');
    Ok(make::described(cx, &text))
}

fn shown(cx: &mut Cx, v: Value) -> R<String> {
    if v.is_heap() {
        let text = convert::any_to_s(cx, v);
        return Ok(text.to_text());
    }
    call::inspect_text(cx, v)
}
