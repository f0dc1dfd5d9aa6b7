//! `to_s` and `inspect` of Range.

use object::{range, string::Str};
use runtime::{Args, Cx, R, Value, convert, make};
use text::EncodingId;

use crate::array::show::{append, append_text};

/// `to_s → string`: the ends' `to_s` with `..` or `...` between them.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let first = convert::to_s(cx, range::begin(me))?;
    let last = convert::to_s(cx, range::end(me))?;
    joined(cx, first, dots(me), last)
}

/// `inspect → string`: like `to_s`, with the ends' `inspect`; nothing for a missing end, unless both are missing.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let shown = crate::thread::locals::guard_inspect(cx, me, |cx| {
        let first = shown_end(cx, range::begin(me), range::end(me))?;
        let last = shown_end(cx, range::end(me), range::begin(me))?;
        joined(cx, first, dots(me), last)
    })?;
    Ok(match shown {
        Some(shown) => shown,
        None => make::text(cx, &format!("(... {} ...)", dots(me))),
    })
}

fn shown_end(cx: &mut Cx, end: Value, other: Value) -> R<Str> {
    if end.is_nil() && !other.is_nil() { Ok(Str::empty(cx, EncodingId::UTF_8)) } else { convert::inspect(cx, end) }
}

fn dots(me: Value) -> &'static str {
    if range::is_exclusive(me) { "..." } else { ".." }
}

/// A copy of the first text, with its encoding, followed by the others.
fn joined(cx: &mut Cx, first: Str, dots: &str, last: Str) -> R {
    let result = first.dup(cx).value();
    append_text(cx, result, dots)?;
    append(cx, result, last.value())?;
    Ok(result)
}
