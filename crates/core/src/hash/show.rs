//! `inspect`: `{name: 1, "other" => 2}`.

use abi::Value;
use object::{Sym, hash::HashRef, string::Str};
use runtime::{Args, Cx, R, error::OrRaise, make};
use text::encoding::EncodingId;

use crate::{
    array::show::{append, append_inspected, append_text},
    string::inspecting::result_encoding,
};

/// `inspect → string`: `{name: 1, "key" => 2}`: symbols that are simple names are written as in a literal. `{...}` for
/// a hash within itself. Alias: `to_s`.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if HashRef::of(me).is_empty() {
        return Ok(make::string(cx, b"{}", EncodingId::US_ASCII));
    }
    let shown = crate::thread::locals::guard_inspect(cx, me, |cx| {
        let result = Str::empty(cx, EncodingId::US_ASCII).value();
        append_text(cx, result, "{")?;
        let mut at = 0;
        let mut first = true;
        while let Some((next, key, value)) = HashRef::of(me).next(at) {
            if !std::mem::replace(&mut first, false) {
                append_text(cx, result, ", ")?;
            }
            append_key(cx, result, key)?;
            append_inspected(cx, result, value)?;
            at = next;
        }
        append_text(cx, result, "}")?;
        Ok(result)
    })?;
    Ok(match shown {
        Some(shown) => shown,
        None => make::string(cx, b"{...}", EncodingId::US_ASCII),
    })
}

fn append_key(cx: &mut Cx, to: Value, key: Value) -> R<()> {
    let Some(symbol) = Sym::from_value(key) else {
        append_inspected(cx, to, key)?;
        return append_text(cx, to, " => ");
    };
    let result = result_encoding(cx);
    let name = Str::of(symbol.name(cx));
    let mut shown = memory::with_capacity(name.len() + 2);
    text::inspect::hash_key(name.encoding(), name.bytes(cx), result, &mut shown);
    if shown.is_ascii() {
        return Str::of(to).append_with(cx, &shown, text::CodeRange::SevenBit).or_raise(cx);
    }
    let shown = make::string(cx, &shown, result);
    if Str::of(to).len() == 1 {
        Str::of(to).set_encoding(result);
    }
    append(cx, to, shown)
}
