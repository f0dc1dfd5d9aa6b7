//! Storing elements; pushing and popping at either end.

use abi::Value;
use object::array::{Arr, MAX_LEN};
use runtime::{Args, Cx, R, convert, error::OrRaise, make};

use super::read;

fn too_small(cx: &mut Cx, index: i64, len: usize) -> runtime::Unwind {
    cx.index_error(&format!("index {index} too small for array; minimum: {}", -(len as i64)))
}

/// `array[index] = value`
pub fn store(cx: &mut Cx, me: Value, index: i64, v: Value) -> R<()> {
    let len = Arr::of(me).len();
    let at = if index < 0 { index + len as i64 } else { index };
    if at < 0 {
        return Err(too_small(cx, index, len));
    }
    if at as usize >= MAX_LEN {
        return Err(cx.index_error(&format!("index {at} too big")));
    }
    Arr::of(me).set(cx, at as usize, v).or_raise(cx)
}

/// `array[start, length] = values`, also for ranges.
pub fn splice(cx: &mut Cx, me: Value, start: usize, length: usize, with: &[Value]) -> R<()> {
    let len = Arr::of(me).len();
    if start > len {
        if start >= MAX_LEN - with.len() {
            return Err(cx.index_error(&format!("index {start} too big")));
        }
        // The values may be this Array's own elements.
        let with = make::array(cx, with);
        Arr::of(me).extend_with_nil(cx, start).or_raise(cx)?;
        return Arr::of(me).append_all(cx, Arr::of(with)).or_raise(cx);
    }
    Arr::of(me).splice(cx, start, length.min(len - start), with).or_raise(cx)
}

/// `self[index] = value`, `self[start, length] = values`, `self[range] = values`: the last two replace a part by an
/// array's elements or by one value. Positions beyond the end are filled with nil. IndexError for one before the start
/// or a negative length, RangeError for a Range before the start.
pub fn aset(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    if let Some(v) = args.opt(2) {
        let start = convert::to_i64(cx, args.at(0))?;
        let length = convert::to_i64(cx, args.at(1))?;
        if length < 0 {
            return Err(cx.index_error(&format!("negative length ({length})")));
        }
        let len = Arr::of(me).len();
        let at = if start < 0 { start + len as i64 } else { start };
        if at < 0 {
            return Err(too_small(cx, start, len));
        }
        splice_values(cx, me, at as usize, length as usize, v)?;
        return Ok(v);
    }
    let (index, v) = (args.at(0), args.at(1));
    if index.is_fixnum() {
        store(cx, me, index.fixnum_value(), v)?;
    } else if let Some(ends) = crate::range::ends::of(cx, index)? {
        let place = read::within_ends(cx, index, ends, Arr::of(me).len(), true)?;
        if let Some((start, length)) = place {
            splice_values(cx, me, start, length, v)?;
        }
    } else {
        let index = convert::to_i64(cx, index)?;
        store(cx, me, index, v)?;
    }
    Ok(v)
}

fn splice_values(cx: &mut Cx, me: Value, start: usize, length: usize, v: Value) -> R<()> {
    let with = match convert::try_ary(cx, v)? {
        Some(list) => list,
        None => Arr::of(make::array(cx, &[v])),
    };
    cx.check_frozen(me)?;
    runtime::args::spread(cx, with, |cx, with| splice(cx, me, start, length, with))
}

/// `self << value → self`: appends one element; an array is appended as one element.
pub fn append(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    Arr::of(me).push(cx, args.at(0)).or_raise(cx)?;
    Ok(me)
}

/// `push(*values) → self`: appends the values in their order. Alias: `append`.
pub fn push(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    Arr::of(me).append(cx, args.all()).or_raise(cx)?;
    Ok(me)
}

fn count_of(cx: &mut Cx, v: Value, len: usize) -> R<usize> {
    let n = convert::to_i64(cx, v)?;
    if n < 0 {
        return Err(cx.argument_error("negative array size"));
    }
    Ok((n as usize).min(len))
}

/// `pop(count = nil) → element, array or nil`: removes the last element, or with `count` an array of the last ones in
/// their order. nil if the array is empty; ArgumentError for a negative count.
pub fn pop(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let Some(count) = args.opt(0) else { return Ok(Arr::of(me).pop(cx).unwrap_or(Value::NIL)) };
    let count = count_of(cx, count, Arr::of(me).len())?;
    // The conversion of the count may have removed elements.
    let start = Arr::of(me).len().saturating_sub(count);
    let taken = Arr::of(me).slice(cx, start, Arr::of(me).len() - start).or_raise(cx)?.value();
    Arr::of(me).truncate(cx, start);
    Ok(taken)
}

/// `shift(count = nil) → element, array or nil`: removes the first element, or with `count` an array of the first ones.
/// nil if the array is empty; ArgumentError for a negative count.
pub fn shift(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let Some(count) = args.opt(0) else { return Ok(Arr::of(me).shift(cx).unwrap_or(Value::NIL)) };
    let count = count_of(cx, count, Arr::of(me).len())?.min(Arr::of(me).len());
    let taken = Arr::of(me).slice(cx, 0, count).or_raise(cx)?.value();
    Arr::of(me).drop_front(cx, count);
    Ok(taken)
}

/// `unshift(*values) → self`: inserts the values before the first element, in their order. Alias: `prepend`.
pub fn unshift(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    Arr::of(me).unshift(cx, args.all()).or_raise(cx)?;
    Ok(me)
}

/// `insert(index, *values) → self`: inserts the values before the element at the index, with a negative index after it.
/// Positions beyond the end are filled with nil; IndexError for one before the start.
pub fn insert(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let index = convert::to_i64(cx, args.at(0))?;
    if args.len() == 1 {
        return Ok(me);
    }
    let len = Arr::of(me).len();
    let at = if index < 0 { index + len as i64 + 1 } else { index };
    if at < 0 {
        return Err(too_small(cx, index, len + 1));
    }
    splice(cx, me, at as usize, 0, args.from(1))?;
    Ok(me)
}

/// `concat(*arrays) → self`: appends the elements of the arrays, as they are before the first is appended. TypeError
/// unless they are Arrays or have `to_ary`.
pub fn concat(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    if let [other] = args.all() {
        let other = convert::to_ary(cx, *other)?;
        Arr::of(me).append_all(cx, other).or_raise(cx)?;
        return Ok(me);
    }
    let all = make::array(cx, &[]);
    for other in args.all() {
        let other = convert::to_ary(cx, *other)?;
        Arr::of(all).append_all(cx, other).or_raise(cx)?;
    }
    Arr::of(me).append_all(cx, Arr::of(all)).or_raise(cx)?;
    Ok(me)
}

/// `clear → self`: removes all elements.
pub fn clear(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    Arr::of(me).clear(cx);
    Ok(me)
}
