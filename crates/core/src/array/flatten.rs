//! Flattening.

use abi::Value;
use object::{array::Arr, hash};
use runtime::{Args, Cx, R, convert, error::OrRaise, make};

/// Appends the elements of `list` to `to`, flattening Arrays down to `depth` levels (`None`: all). Returns whether
/// there was an Array. Works through a list of its own, because Arrays may be nested deeper than the native stack
/// allows.
fn flatten_into(cx: &mut Cx, to: Value, list: Value, depth: Option<usize>) -> R<bool> {
    // The Arrays around the current one, each with the index of its next element.
    let outer = make::array(cx, &[]);
    // Without a limit: these Arrays and the current one, to find an Array that contains itself.
    let open = hash::new_identity(cx);
    if depth.is_none() {
        hash::identity_store(cx, open, list, Value::TRUE);
    }
    let (mut list, mut i, mut any) = (list, 0, false);
    loop {
        let Some(v) = Arr::of(list).get(i) else {
            hash::identity_delete(cx, open, list);
            let (Some(next), Some(around)) = (Arr::of(outer).pop(cx), Arr::of(outer).pop(cx)) else { return Ok(any) };
            (list, i) = (around, next.fixnum_value() as usize);
            continue;
        };
        i += 1;
        let is_deepest = depth.is_some_and(|depth| Arr::of(outer).len() / 2 >= depth);
        let inner = if v.is_immediate() || is_deepest { None } else { convert::try_ary(cx, v)? };
        let Some(inner) = inner else {
            Arr::of(to).push(cx, v).or_raise(cx)?;
            continue;
        };
        cx.safepoint()?;
        any = true;
        if depth.is_none() && !hash::identity_get(open, inner.value()).is_undef() {
            return Err(cx.argument_error("tried to flatten recursive array"));
        }
        Arr::of(outer).push(cx, list).or_raise(cx)?;
        Arr::of(outer).push(cx, Value::fixnum(i as i64)).or_raise(cx)?;
        (list, i) = (inner.value(), 0);
        if depth.is_none() {
            hash::identity_store(cx, open, list, Value::TRUE);
        }
    }
}

/// The flattened copy, and whether it differs.
fn flat(cx: &mut Cx, args: Args) -> R<(Value, bool)> {
    let depth = match args.non_nil(0) {
        Some(depth) => usize::try_from(convert::to_i32(cx, depth)?).ok(),
        None => None,
    };
    let result = make::array(cx, &[]);
    if depth == Some(0) {
        Arr::of(result).append_all(cx, Arr::of(args.me())).or_raise(cx)?;
        return Ok((result, false));
    }
    let any = flatten_into(cx, result, args.me(), depth)?;
    Ok((result, any))
}

/// `flatten(depth = nil) → array`: replaces elements that are arrays (or have `to_ary`) by their elements, down to
/// `depth`; nil or a negative depth means no limit. ArgumentError for an array that contains itself.
pub fn flatten(cx: &mut Cx, args: Args) -> R {
    Ok(flat(cx, args)?.0)
}

/// `flatten!(depth = nil) → self or nil`: `flatten` in place; nil if no element was an array.
pub fn flatten_bang(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let (result, any) = flat(cx, args)?;
    if !any {
        return Ok(Value::NIL);
    }
    cx.check_frozen(args.me())?;
    Arr::of(args.me()).replace(cx, Arr::of(result)).or_raise(cx)?;
    Ok(args.me())
}
