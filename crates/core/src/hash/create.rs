//! Creation of Hashes, copies, defaults, comparison by identity.

use abi::{Type, Value};
use object::{
    Known, cell, class,
    hash::{self, HashRef},
    proc,
};
use runtime::{Args, Cx, R, call, convert, keys, sym};

fn with_class(cx: &mut Cx, table: Value, of: Value) -> Value {
    if of != cx.class(Known::Hash) {
        cell::set_header(table, cell::header(table).with_shape(class::root_shape(of)));
    }
    table
}

/// Raises the error of an operation of the `object` crate, which calls no methods of keys.
pub fn plain<T>(cx: &mut Cx, result: Result<T, hash::Error>) -> R<T> {
    match result {
        Ok(v) => Ok(v),
        Err(error) => Err(keys::raise_table_error(cx, error)),
    }
}

/// `Hash.allocate → hash`: an empty hash of the receiver's class, for `new` to initialize.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    let table = HashRef::new(cx).value();
    Ok(with_class(cx, table, args.me()))
}

/// `Hash[hash]`, `Hash[[[key, value], …]]`, `Hash[key, value, …] → hash`: a hash of the receiver's class, without a
/// default. ArgumentError for an odd number of arguments and for elements that are not pairs.
pub fn literal(cx: &mut Cx, args: Args) -> R {
    let made = HashRef::new(cx).value();
    let table = with_class(cx, made, args.me());
    if args.len() == 1 {
        if let Some(other) = convert::try_hash(cx, args.at(0))? {
            let replaced = HashRef::of(table).replace_entries(cx, other);
            plain(cx, replaced)?;
            if HashRef::of(table).is_by_identity() {
                return rebuild(cx, table);
            }
            return Ok(table);
        }
        if let Some(list) = convert::try_ary(cx, args.at(0))? {
            let mut i = 0;
            while let Some(v) = list.get(i) {
                let Some(pair) = convert::try_ary(cx, v)? else {
                    let name = runtime::error::describe_for_conversion(cx, v);
                    return Err(cx.argument_error(&format!("wrong element type {name} at {i} (expected array)")));
                };
                let len = pair.len();
                if len != 1 && len != 2 {
                    return Err(cx.argument_error(&format!("invalid number of elements ({len} for 1..2)")));
                }
                let (key, value) = (pair.at(0), pair.get(1).unwrap_or(Value::NIL));
                keys::store(cx, table, key, value)?;
                i += 1;
            }
            return Ok(table);
        }
    }
    if !args.len().is_multiple_of(2) {
        return Err(cx.argument_error("odd number of arguments for Hash"));
    }
    for pair in args.all().chunks_exact(2) {
        keys::store(cx, table, pair[0], pair[1])?;
    }
    Ok(table)
}

/// A Hash with the same entries, whose keys are compared by `hash` and `eql?`.
fn rebuild(cx: &mut Cx, table: Value) -> R {
    let fresh = HashRef::new(cx).value();
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(table).next(at) {
        keys::store(cx, fresh, key, value)?;
        at = next;
    }
    let shape = cell::header(table).shape();
    cell::set_header(fresh, cell::header(fresh).with_shape(shape));
    Ok(fresh)
}

/// `Hash.try_convert(object) → hash or nil`: the object if it is a Hash, otherwise the result of its `to_hash`; nil
/// without that method. TypeError if `to_hash` returns another object.
pub fn try_convert(cx: &mut Cx, args: Args) -> R {
    Ok(convert::try_hash(cx, args.at(0))?.map_or(Value::NIL, HashRef::value))
}

fn check_hash(cx: &mut Cx, v: Value) -> R<()> {
    if cell::is(v, Type::Hash) {
        return Ok(());
    }
    let name = runtime::error::describe_for_conversion(cx, v);
    Err(cx.type_error(&format!("wrong argument type {name} (expected Hash)")))
}

/// `Hash.ruby2_keywords_hash?(hash) → true or false`: whether the hash has the flag of `ruby2_keywords`, so that a
/// splat passes it as keywords. TypeError for another object.
pub fn is_ruby2_keywords_hash(cx: &mut Cx, args: Args) -> R {
    check_hash(cx, args.at(0))?;
    Ok(Value::bool(HashRef::of(args.at(0)).is_ruby2_keywords()))
}

/// `Hash.ruby2_keywords_hash(hash) → hash`: a copy with the flag of `ruby2_keywords`. TypeError for another object.
pub fn ruby2_keywords_hash(cx: &mut Cx, args: Args) -> R {
    check_hash(cx, args.at(0))?;
    let copied = HashRef::of(args.at(0)).dup(cx);
    let copy = plain(cx, copied)?;
    copy.set_ruby2_keywords(true);
    let of = object::class::real_class(cx, args.at(0));
    with_class(cx, copy.value(), of);
    object::shape::ivars::copy(cx, args.at(0), copy.value());
    Ok(copy.value())
}

/// `Hash.new(default = nil, capacity: 0) { |hash, key| … }`: the default for missing keys, or the block that is called
/// for them. ArgumentError with both, TypeError for a lambda that does not take two arguments. `capacity` is ignored.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    keys::only_keywords(cx, args.keywords(), &[sym::CAPACITY])?;
    let capacity = keys::keyword(cx, args.keywords(), sym::CAPACITY);
    if !capacity.is_undef() {
        convert::to_i64(cx, capacity)?;
        cx.check_frozen(me)?;
    }
    let block = args.block_proc(cx)?;
    if !block.is_nil() {
        if !args.is_empty() {
            return Err(cx.arity_error(1, 0, Some(0)));
        }
        check_arity(cx, block)?;
        let set = HashRef::of(me).set_default_proc(cx, block);
        plain(cx, set)?;
    } else {
        let set = HashRef::of(me).set_default(cx, args.get(0).or(Value::NIL));
        plain(cx, set)?;
    }
    Ok(me)
}

/// A lambda used as a default proc must accept the hash and the key.
fn check_arity(cx: &mut Cx, p: Value) -> R<()> {
    if !proc::is_lambda(p) {
        return Ok(());
    }
    let arity = call::arity::proc_arity(p, true);
    if arity != 2 && !(-3..0).contains(&arity) {
        let shown = if arity < 0 { -arity - 1 } else { arity };
        return Err(cx.type_error(&format!("default_proc takes two arguments (2 for {shown})")));
    }
    Ok(())
}

/// `initialize_copy(other)`, `replace(other) → self`: copies the entries and the default of `other`, and whether it
/// compares by identity. RuntimeError during an iteration, TypeError unless `other` is a Hash or has `to_hash`.
pub fn replace(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    if HashRef::of(me).is_iterating() {
        return Err(cx.runtime_error("can't replace hash during iteration"));
    }
    let other = args.hash(cx, 0)?;
    if me == other.value() {
        return Ok(me);
    }
    let replaced = HashRef::of(me).replace_entries(cx, other);
    plain(cx, replaced)?;
    let default = other.default();
    let set = if other.default_is_proc() {
        HashRef::of(me).set_default_proc(cx, default)
    } else {
        HashRef::of(me).set_default(cx, default)
    };
    plain(cx, set)?;
    Ok(me)
}

/// `to_hash → self`: the implicit conversion.
pub fn to_hash(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// `rehash → self`: calls `hash` of all keys again, for keys that have changed. Of keys that have become equal the
/// first one remains. RuntimeError during an iteration.
pub fn rehash(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if HashRef::of(me).is_iterating() {
        return Err(cx.runtime_error("rehash during iteration"));
    }
    cx.check_frozen(me)?;
    let done = HashRef::of(me).rehash(cx);
    keys::raise(cx, done)?;
    Ok(me)
}

/// `compare_by_identity → self`: from now on keys are equal only if they are the same object. RuntimeError during an
/// iteration.
pub fn compare_by_identity(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if HashRef::of(me).is_by_identity() {
        return Ok(me);
    }
    cx.check_frozen(me)?;
    if HashRef::of(me).is_iterating() {
        return Err(cx.runtime_error("compare_by_identity during iteration"));
    }
    let done = HashRef::of(me).compare_by_identity(cx);
    plain(cx, done)?;
    Ok(me)
}

/// `compare_by_identity? → true or false`: whether keys are equal only if they are the same object.
pub fn is_compared_by_identity(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(HashRef::of(args.me()).is_by_identity()))
}

/// `default(key = nil) → object`: the value for missing keys. A default proc is called with the hash and `key`; without
/// `key` it is not called, and nil is returned.
pub fn default(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let default = HashRef::of(me).default();
    if !HashRef::of(me).default_is_proc() {
        return Ok(default);
    }
    match args.opt(0) {
        None => Ok(Value::NIL),
        Some(key) => call::send(cx, default, sym::CALL, &[me, key]),
    }
}

/// `default=(value) → value`: sets the value for missing keys; a default proc is dropped.
pub fn set_default(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let set = HashRef::of(args.me()).set_default(cx, args.at(0));
    plain(cx, set)?;
    Ok(args.at(0))
}

/// `default_proc → proc or nil`: the Proc for missing keys; nil if the default is a value.
pub fn default_proc(_: &mut Cx, args: Args) -> R {
    let table = HashRef::of(args.me());
    Ok(if table.default_is_proc() { table.default() } else { Value::NIL })
}

/// `default_proc=(proc) → proc`: sets the Proc that is called for missing keys with the hash and the key; nil removes
/// it and the default value. TypeError unless it is a Proc or has `to_proc`, and for a lambda that does not take two
/// arguments.
pub fn set_default_proc(cx: &mut Cx, args: Args) -> R {
    let (me, given) = (args.me(), args.at(0));
    cx.check_frozen(me)?;
    if given.is_nil() {
        let set = HashRef::of(me).set_default(cx, Value::NIL);
        plain(cx, set)?;
        return Ok(given);
    }
    let p = if cell::is(given, Type::Proc) {
        given
    } else {
        match call::send_if_responds(cx, given, sym::TO_PROC, &[])? {
            Some(p) if cell::is(p, Type::Proc) => p,
            _ => {
                let name = runtime::error::class_name_of(cx, given);
                return Err(cx.type_error(&format!("wrong default_proc type {name} (expected Proc)")));
            }
        }
    };
    check_arity(cx, p)?;
    let set = HashRef::of(me).set_default_proc(cx, p);
    plain(cx, set)?;
    Ok(given)
}
