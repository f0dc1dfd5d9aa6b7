//! Flattening.

use abi::Value;
use object::{array::Arr, hash};
use runtime::{Args, Cx, R, convert, error::OrRaise, make};

/// Appends the elements of `list` to `to`, flattening Arrays up to `depth` levels (-1: all). Returns whether there was
/// an Array.
fn flatten_into(cx: &mut Cx, to: Value, list: Value, depth: i64, open: Value) -> R<bool> {
    cx.check_native_stack()?;
    let mut any = false;
    let mut i = 0;
    while let Some(v) = Arr::of(list).get(i) {
        i += 1;
        let inner = if v.is_immediate() || depth == 0 { None } else { convert::try_ary(cx, v)? };
        match inner {
            Some(inner) => {
                any = true;
                if !hash::identity_get(open, inner.value()).is_undef() {
                    return Err(cx.argument_error("tried to flatten recursive array"));
                }
                if depth < 0 {
                    hash::identity_store(cx, open, inner.value(), Value::TRUE);
                }
                flatten_into(cx, to, inner.value(), if depth < 0 { depth } else { depth - 1 }, open)?;
                if depth < 0 {
                    hash::identity_delete(cx, open, inner.value());
                }
            }
            None => Arr::of(to).push(cx, v).or_raise(cx)?,
        }
    }
    Ok(any)
}

/// The flattened copy, and whether it differs.
fn flat(cx: &mut Cx, args: Args) -> R<(Value, bool)> {
    let depth = match args.non_nil(0) {
        Some(depth) => convert::to_i32(cx, depth)?.into(),
        None => -1,
    };
    let result = make::array(cx, &[]);
    if depth == 0 {
        Arr::of(result).append_all(cx, Arr::of(args.me())).or_raise(cx)?;
        return Ok((result, false));
    }
    let open = hash::new_identity(cx);
    if depth < 0 {
        hash::identity_store(cx, open, args.me(), Value::TRUE);
    }
    let depth = if depth < 0 { -1 } else { depth };
    let any = flatten_into(cx, result, args.me(), depth, open)?;
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
