//! The text of objects: `to_s` and `inspect`.

use abi::Value;
use object::string::Str;
use text::encoding::EncodingId;

use super::send;
use crate::{Cx, R, sym};

/// `v.to_s` as a String, `#<Foo>` if to_s returns no String.
pub fn to_s(cx: &mut Cx, v: Value) -> R<Str> {
    if let Some(s) = Str::from_value(v) {
        return Ok(s);
    }
    let s = send(cx, v, sym::TO_S, &[])?;
    Ok(Str::from_value(s).unwrap_or_else(|| any_to_s(cx, v)))
}

/// A frozen US-ASCII String in a root, created on first use: `nil.to_s`, `true.to_s`, `false.to_s`.
pub fn constant_text(cx: &mut Cx, root: crate::Root, text: &str) -> Value {
    let there = cx.root(root);
    if Str::from_value(there).is_some() {
        return there;
    }
    let s = crate::make::string(cx, text.as_bytes(), EncodingId::US_ASCII);
    Str::of(s).freeze();
    cx.set_root(root, s);
    s
}

/// Kernel#to_s.
pub fn any_to_s(cx: &mut Cx, v: Value) -> Str {
    let text = crate::naming::any_to_text(cx, v);
    Str::of(crate::make::described(cx, &text))
}

/// `v.inspect` as a printable String: characters that are neither ASCII nor in the default encoding are escaped.
pub fn inspect(cx: &mut Cx, v: Value) -> R<Str> {
    let s = send(cx, v, sym::INSPECT, &[])?;
    let s = to_s(cx, s)?;
    let shown_in = cx.vm().default_internal.unwrap_or(cx.vm().default_external);
    let encoding = s.encoding();
    if encoding.is_ascii_compatible() && ((encoding == shown_in && shown_in.is_ascii_compatible()) || s.is_ascii()) {
        return Ok(s);
    }
    let mut escaped = Vec::new();
    text::inspect::escape_unprintable(encoding, s.bytes(cx), &mut escaped);
    Ok(Str::of(crate::make::string(cx, &escaped, EncodingId::US_ASCII)))
}

/// `v.inspect` as text, for messages.
pub fn inspect_text(cx: &mut Cx, v: Value) -> R<String> {
    let s = inspect(cx, v)?;
    Ok(s.to_text())
}
