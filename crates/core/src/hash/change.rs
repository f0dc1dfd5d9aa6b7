//! Storing and removing.

use abi::Value;
use object::hash::HashRef;
use runtime::{Args, Cx, R, call, intrinsics::hashes, keys, make};

/// `self[key] = value`, `store(key, value)`: adds or replaces a value. A String as a new key is copied and frozen,
/// unless keys are compared by identity. RuntimeError for a new key during an iteration.
pub fn aset(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    keys::store(cx, args.me(), args.at(0), args.at(1))?;
    Ok(args.at(1))
}

/// `delete(key) { |key| } → object or nil`: removes an entry and returns its value. For a missing key, returns the
/// block's result for the key, or nil.
pub fn delete(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    if let Some(v) = keys::delete(cx, args.me(), args.at(0))? {
        return Ok(v);
    }
    let block = args.block(cx);
    if block.is_none() { Ok(Value::NIL) } else { call::yield_one(cx, block, args.at(0)) }
}

/// `shift → array or nil`: removes the oldest entry and returns its key and value; nil if there is none, regardless of
/// the default.
pub fn shift(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    match HashRef::of(args.me()).shift(cx) {
        Some((key, value)) => Ok(make::array(cx, &[key, value])),
        None => Ok(Value::NIL),
    }
}

/// `clear → self`: removes all entries; during an iteration they are removed one by one.
pub fn clear(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    HashRef::of(args.me()).clear(cx);
    Ok(args.me())
}

/// Deletes the entries whose value is nil; returns whether there were any.
fn drop_nils(cx: &mut Cx, table: Value) -> bool {
    let before = HashRef::of(table).len();
    let mut at = 0;
    while let Some((next, _, value)) = HashRef::of(table).next(at) {
        if value.is_nil() {
            HashRef::of(table).delete_at(cx, next - 1);
        }
        at = next;
    }
    HashRef::of(table).len() != before
}

/// `compact → hash`: a copy of the receiver's class without the entries whose value is nil.
pub fn compact(cx: &mut Cx, args: Args) -> R {
    let copy = hashes::dup(cx, [args.me()])?;
    drop_nils(cx, copy);
    Ok(copy)
}

/// `compact! → self or nil`: removes the entries whose value is nil; nil if there was none.
pub fn compact_bang(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    Ok(if drop_nils(cx, args.me()) { args.me() } else { Value::NIL })
}

/// `invert → hash`: a new hash with values as keys and keys as values; of several keys with the same value the last one
/// remains.
pub fn invert(cx: &mut Cx, args: Args) -> R {
    let result = HashRef::new(cx).value();
    let mut at = 0;
    while let Some((next, key, value)) = HashRef::of(args.me()).next(at) {
        keys::store(cx, result, value, key)?;
        at = next;
    }
    Ok(result)
}
