//! `inspect` of Struct and Data.

use abi::Value;
use object::{Sym, array::Arr, class, structure};
use runtime::{Args, Cx, R, convert, define};

use super::access;
use crate::array::show::{append, append_inspected, append_text};

/// `inspect → string`: `#<struct Name member=value, …>`; an instance within itself is shown as `#<struct Name:...>`.
/// Alias: `to_s`.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    inspect_as(cx, args.me(), "struct")
}

/// `#<struct Name a=1, b=2>`; anonymous classes, and those in anonymous modules, are shown without a name, unless the
/// object contains itself.
pub fn inspect_as(cx: &mut Cx, me: Value, what: &str) -> R {
    let of = class::real_class(cx, me);
    let path = define::class_name(cx, of);
    let name = if path.starts_with('#') { "" } else { path.as_str() };
    let head = if name.is_empty() { format!("#<{what}") } else { format!("#<{what} {name}") };
    let shown = crate::thread::locals::guard_inspect(cx, me, |cx| {
        let result = runtime::make::described(cx, &head);
        let names = access::names(cx, me);
        for i in 0..structure::members(&me).len() {
            if i > 0 {
                append_text(cx, result, ",")?;
            }
            append_text(cx, result, " ")?;
            append_name(cx, result, Arr::of(names).get(i).unwrap_or(Value::NIL))?;
            append_text(cx, result, "=")?;
            append_inspected(cx, result, structure::get(me, i).unwrap_or(Value::NIL))?;
        }
        append_text(cx, result, ">")?;
        Ok(result)
    })?;
    match shown {
        Some(shown) => Ok(shown),
        None => Ok(runtime::make::described(cx, &format!("#<{what} {path}:...>"))),
    }
}

/// The name, if it is valid for a local variable or constant; otherwise its `inspect`.
fn append_name(cx: &mut Cx, to: Value, name: Value) -> R<()> {
    let symbol = Sym::of(name);
    let bytes = symbol.bytes(cx);
    let plain = bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_' || *b >= 0x80)
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80);
    let shown = if plain { symbol.name(cx) } else { convert::inspect(cx, name)?.value() };
    append(cx, to, shown)
}
