//! Removal of elements.

use abi::Value;
use object::array::Arr;
use runtime::{Args, Cx, R, convert, error::OrRaise};

use super::read;

/// `delete_at(index) → element or nil`: removes the element at an index, a negative one counted from the end; nil for
/// an index outside.
pub fn delete_at(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let index = convert::to_i64(cx, args.at(0))?;
    let len = Arr::of(me).len() as i64;
    let at = if index < 0 { index + len } else { index };
    if at < 0 || at >= len {
        return Ok(Value::NIL);
    }
    Ok(Arr::of(me).delete_at(cx, at as usize).or_raise(cx)?.unwrap_or(Value::NIL))
}

fn take(cx: &mut Cx, me: Value, start: usize, length: usize) -> R {
    // The conversion of a range's ends may have changed the array.
    let len = Arr::of(me).len();
    let start = start.min(len);
    let length = length.min(len - start);
    let taken = Arr::of(me).slice(cx, start, length).or_raise(cx)?.value();
    Arr::of(me).splice(cx, start, length, &[]).or_raise(cx)?;
    Ok(taken)
}

/// `slice!(index) → element or nil`, `slice!(start, length)`, `slice!(range) → array or nil`: removes and returns what
/// `[]` returns for the same arguments.
pub fn slice_bang(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    if let Some(length) = args.opt(1) {
        let start = convert::to_i64(cx, args.at(0))?;
        let length = convert::to_i64(cx, length)?;
        let len = Arr::of(me).len() as i64;
        let start = if start < 0 { start + len } else { start };
        if length < 0 || start < 0 || start > len {
            return Ok(Value::NIL);
        }
        return take(cx, me, start as usize, length as usize);
    }
    let index = args.at(0);
    if let Some(ends) = crate::range::ends::of(cx, index)? {
        return match read::within_ends(cx, index, ends, Arr::of(me).len(), false)? {
            Some((start, length)) => take(cx, me, start, length),
            None => Ok(Value::NIL),
        };
    }
    delete_at(cx, args)
}

/// `compact → array`: a copy without the elements that are nil; false stays.
pub fn compact(cx: &mut Cx, args: Args) -> R {
    let copy = Arr::of(args.me()).dup(cx).or_raise(cx)?;
    copy.retain(cx, |v| !v.is_nil()).or_raise(cx)?;
    Ok(copy.value())
}

/// `compact! → self or nil`: removes the elements that are nil in place; nil if there was none.
pub fn compact_bang(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let before = Arr::of(me).len();
    Arr::of(me).retain(cx, |v| !v.is_nil()).or_raise(cx)?;
    Ok(if Arr::of(me).len() == before { Value::NIL } else { me })
}
