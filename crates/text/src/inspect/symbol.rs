//! Symbol#inspect, the keys of Hash#inspect, and the classification of names.

use super::escape::is_shown_as_is;
use super::string::inspect;
use crate::encoding::{EncodingId, char_len_or_min, codepoint, is_upper_or_title};
use crate::scan::char_start;
use memory::Grow;

/// The kinds of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// `name`: a local variable or a method.
    Local,
    /// `Name`.
    Constant,
    /// `@name`.
    Instance,
    /// `@@name`.
    Class,
    /// `$name`, `$1`, `$~`.
    Global,
    /// `name=`, `Name=`.
    Setter,
    /// An operator, `name?` or `name!`: a method only.
    Operator,
}

/// The kind of a name in Ruby's syntax; `None` for one that needs quotes as a symbol.
pub fn name_kind(encoding: EncodingId, name: &[u8]) -> Option<NameKind> {
    if !encoding.is_ascii_compatible() {
        return None;
    }
    let (kind, prefix) = match name {
        [] | [0, ..] => return None,
        [b'$', rest @ ..] if is_special_global(encoding, rest) => return Some(NameKind::Global),
        [b'$', ..] => (NameKind::Global, 1),
        [b'@', b'@', ..] => (NameKind::Class, 2),
        [b'@', ..] => (NameKind::Instance, 1),
        // The first byte decides for nearly all names.
        [b'a'..=b'z' | b'_', ..] => (NameKind::Local, 0),
        [b'A'..=b'Z', ..] => (NameKind::Constant, 0),
        _ if is_operator(name) => return Some(NameKind::Operator),
        _ if starts_constant(encoding, name) => (NameKind::Constant, 0),
        _ => (NameKind::Local, 0),
    };
    let rest = &name[prefix..];
    match rest.first() {
        Some(first) if first.is_ascii_alphabetic() || *first == b'_' || !first.is_ascii() => {}
        _ => return None,
    }
    let mut at = 0;
    while at < rest.len() && is_identifier_byte(rest[at]) {
        at += if rest[at].is_ascii() { 1 } else { char_len_or_min(encoding, &rest[at..]) };
    }
    let named = matches!(kind, NameKind::Local | NameKind::Constant);
    match &rest[at.min(rest.len())..] {
        [] => Some(kind),
        [b'!' | b'?'] if named => Some(NameKind::Operator),
        [b'='] if named => Some(NameKind::Setter),
        _ => None,
    }
}

fn is_operator(name: &[u8]) -> bool {
    const OPERATORS: [&[u8]; 28] = [
        b"<", b"<<", b"<=", b"<=>", b">", b">>", b">=", b"=~", b"==", b"===", b"*", b"**", b"+", b"+@", b"-", b"-@",
        b"|", b"^", b"&", b"/", b"%", b"~", b"`", b"[]", b"[]=", b"!", b"!=", b"!~",
    ];
    OPERATORS.contains(&name)
}

fn is_special_global(encoding: EncodingId, name: &[u8]) -> bool {
    match name {
        [b'-', rest @ ..] => match rest.first() {
            Some(&byte) if is_identifier_byte(byte) => char_len_or_min(encoding, rest) == rest.len(),
            _ => false,
        },
        [byte] if b"~*$?!@/\\;,.=:<>\"&`'+0_".contains(byte) => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn starts_constant(encoding: EncodingId, name: &[u8]) -> bool {
    codepoint(encoding, name).is_some_and(|(code, _)| is_upper_or_title(encoding, code))
}

/// Whether `Symbol#inspect` shows the name without quotes, in output of encoding `result`.
pub fn is_plain_symbol(encoding: EncodingId, name: &[u8], result: EncodingId) -> bool {
    name_kind(encoding, name).is_some() && is_shown_as_is(encoding, name, result)
}

/// The encoding of a symbol with that name: US-ASCII if the name is ASCII.
pub fn symbol_encoding(encoding: EncodingId, name: &[u8]) -> EncodingId {
    if encoding.is_ascii_compatible() && name.is_ascii() { EncodingId::US_ASCII } else { encoding }
}

/// Appends `Symbol#inspect`; `result` as for [`inspect`].
pub fn inspect_symbol(encoding: EncodingId, name: &[u8], result: EncodingId, out: &mut Vec<u8>) {
    let encoding = symbol_encoding(encoding, name);
    out.append_one(b':');
    if is_plain_symbol(encoding, name, result) {
        out.append_slice(name);
    } else {
        inspect(encoding, name, result, out);
    }
}

/// Appends a symbol key as `Hash#inspect` shows it before the value: `name: ` or `"a b": `.
pub fn hash_key(encoding: EncodingId, name: &[u8], result: EncodingId, out: &mut Vec<u8>) {
    let encoding = symbol_encoding(encoding, name);
    if is_plain_symbol(encoding, name, result) && !key_needs_quotes(encoding, name) {
        out.append_slice(name);
    } else {
        inspect(encoding, name, result, out);
    }
    out.append_slice(b": ");
}

/// Whether a symbol needs quotes as a key: variables, setters and operators do, although `Symbol#inspect` shows them
/// without.
fn key_needs_quotes(encoding: EncodingId, name: &[u8]) -> bool {
    let Some(&last) = name.last() else {
        return true;
    };
    if matches!(name[0], b'@' | b'$' | b'!') {
        return true;
    }
    let at = name.len() - 1;
    char_start(encoding, name, at) == at && b"+-*/`%^&|]<=>~@".contains(&last)
}
