//! `inspect`: `{name: 1, "other" => 2}`.

use abi::Value;
use object::{Sym, hash::HashRef, string::Str};
use runtime::{Args, Cx, R, make, recursion, sym};
use text::encoding::EncodingId;

use crate::array::show::{append, append_inspected, append_text};

pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if HashRef(me).is_empty() {
        return Ok(make::string(cx, b"{}", EncodingId::US_ASCII));
    }
    let shown = recursion::guard(cx, sym::INSPECT, me, Value::NIL, |cx| {
        let result = Str::empty(cx, EncodingId::UTF_8).0;
        append_text(cx, result, "{")?;
        let mut at = 0;
        let mut first = true;
        while let Some((next, key, value)) = HashRef(me).next(at) {
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
        None => make::text(cx, "{...}"),
    })
}

fn append_key(cx: &mut Cx, to: Value, key: Value) -> R<()> {
    let Some(symbol) = Sym::from_value(key) else {
        append_inspected(cx, to, key)?;
        return append_text(cx, to, " => ");
    };
    if is_simple(symbol.bytes(cx)) {
        let name = symbol.name(cx);
        append(cx, to, name)?;
        return append_text(cx, to, ": ");
    }
    // `:"a b"` becomes `"a b": `.
    let shown = runtime::convert::inspect(cx, key)?;
    let bytes = Str(shown).bytes().to_vec();
    if bytes.get(1) == Some(&b'"') {
        let tail = make::string(cx, &bytes[1..], Str(shown).encoding());
        append(cx, to, tail)?;
    } else {
        let name = symbol.name(cx);
        append_text(cx, to, "\"")?;
        append(cx, to, name)?;
        append_text(cx, to, "\"")?;
    }
    append_text(cx, to, ": ")
}

/// Can the name be written as `name: value`?
fn is_simple(name: &[u8]) -> bool {
    let body = match name.split_last() {
        Some((b'?' | b'!', body)) => body,
        _ => name,
    };
    let Some(first) = body.first() else { return false };
    let start = first.is_ascii_alphabetic() || *first == b'_' || *first >= 0x80;
    start
        && body.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80)
        && std::str::from_utf8(name).is_ok()
}
