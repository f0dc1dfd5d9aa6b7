//! `+`, `*`, `<<`, concat, prepend, insert, append_as_bytes.

use object::{
    bigint,
    string::{JoinError, Str},
};
use runtime::{Args, Cx, R, Value, convert, error::OrRaise};
use text::{CodeRange, EncodingId, encoding::CodepointError};

use super::modify::{append, argument, compatible, incompatible, modifiable};
use super::span;

/// `self + other → string`: the concatenation. TypeError unless `other` is a String or has `to_str`,
/// Encoding::CompatibilityError for incompatible encodings.
pub fn plus(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (Str::of(args.me()), argument(cx, args.at(0))?);
    match a.plus(cx, b) {
        Ok(joined) => Ok(joined.value()),
        Err(JoinError::Incompatible(a, b)) => Err(incompatible(cx, a, b)),
        Err(JoinError::Exhausted(exhausted)) => Err(exhausted).or_raise(cx),
    }
}

/// `self * count → string`: the receiver repeated. ArgumentError for a negative or too large count.
pub fn times(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let count = convert::to_i64(cx, args.at(0))?;
    if count < 0 {
        return Err(cx.argument_error("negative argument"));
    }
    if (s.len() as i64).checked_mul(count).is_none() {
        return Err(cx.argument_error("argument too big"));
    }
    Ok(s.repeated(cx, count as usize).or_raise(cx)?.value())
}

/// `self << object → self`: appends a String, or the character of a code point. RangeError for a code point that is not
/// in the encoding, Encoding::CompatibilityError for incompatible encodings.
pub fn append_object(cx: &mut Cx, args: Args) -> R {
    push_object(cx, Str::of(args.me()), args.at(0))?;
    Ok(args.me())
}

fn push_object(cx: &mut Cx, s: Str, v: Value) -> R<()> {
    if convert::is_integer(v) {
        let s = modifiable(cx, s.value())?;
        return push_codepoint(cx, s, v);
    }
    let other = argument(cx, v)?;
    let s = modifiable(cx, s.value())?;
    append(cx, s, other)
}

/// RangeError "300 out of char range", "invalid codepoint 0xD800 in UTF-8".
pub fn raise_codepoint(cx: &mut Cx, error: CodepointError, code: u32, encoding: EncodingId) -> runtime::Unwind {
    match error {
        CodepointError::Invalid => cx.range_error(&format!("invalid codepoint 0x{code:X} in {}", encoding.name())),
        CodepointError::OutOfRange => cx.range_error(&format!("{code} out of char range")),
    }
}

fn push_codepoint(cx: &mut Cx, s: Str, v: Value) -> R<()> {
    let number = bigint::operand(&v).and_then(|n| n.to_i64());
    let code = match number {
        Some(n) => match u32::try_from(n) {
            Ok(code) => code,
            Err(_) => return Err(cx.range_error(&format!("{n} out of char range"))),
        },
        None => return Err(cx.range_error("bignum out of char range")),
    };
    let encoding = s.encoding();
    if matches!(encoding, EncodingId::US_ASCII | EncodingId::BINARY) {
        if code > 0xFF {
            return Err(cx.range_error(&format!("{code} out of char range")));
        }
        s.push(cx, code as u8).or_raise(cx)?;
        if encoding == EncodingId::US_ASCII && code > 127 {
            s.set_encoding(EncodingId::BINARY);
        }
        return Ok(());
    }
    let mut bytes = memory::with_capacity(6);
    if let Err(error) = text::encoding::encode_codepoint(encoding, code, &mut bytes) {
        return Err(raise_codepoint(cx, error, code, encoding));
    }
    s.append(cx, &bytes).or_raise(cx)
}

/// `concat(*objects) → self`: appends all objects as they are before the first is appended; an Integer is a code point.
pub fn concat(cx: &mut Cx, args: Args) -> R {
    let s = modifiable(cx, args.me())?;
    if let [one] = args.all() {
        push_object(cx, s, *one)?;
        return Ok(args.me());
    }
    let more = Str::empty(cx, s.encoding());
    for v in args.all() {
        push_object(cx, more, *v)?;
    }
    let s = modifiable(cx, args.me())?;
    if !more.is_empty() {
        append(cx, s, more)?;
    }
    Ok(args.me())
}

/// `append_as_bytes(*objects) → self`: appends the bytes of strings and the low bytes of integers, regardless of the
/// encodings. TypeError for anything else.
pub fn append_as_bytes(cx: &mut Cx, args: Args) -> R {
    for v in args.all() {
        if Str::from_value(*v).is_none() && !convert::is_integer(*v) {
            let name = runtime::error::class_name_of(cx, *v);
            return Err(cx.type_error(&format!("wrong argument type {name} (expected String or Integer)")));
        }
    }
    let s = modifiable(cx, args.me())?;
    for v in args.all() {
        match Str::from_value(*v) {
            Some(part) => {
                let range = part.known_code_range();
                let keeps = range == CodeRange::SevenBit && part.encoding().is_ascii_compatible();
                let known = if keeps { CodeRange::SevenBit } else { CodeRange::Unknown };
                s.append_part(cx, part, 0..part.len(), known).or_raise(cx)?;
            }
            None => {
                let byte = bigint::operand(v).map_or(0, numeric::big::low_u64) as u8;
                s.push(cx, byte).or_raise(cx)?;
            }
        }
    }
    Ok(args.me())
}

/// `prepend(*strings) → self`: inserts the strings before the first character, in their order. TypeError unless they
/// are Strings or have `to_str`.
pub fn prepend(cx: &mut Cx, args: Args) -> R {
    modifiable(cx, args.me())?;
    let more = Str::empty(cx, Str::of(args.me()).encoding());
    for v in args.all() {
        let part = argument(cx, *v)?;
        append(cx, more, part)?;
    }
    let s = modifiable(cx, args.me())?;
    if !more.is_empty() {
        super::index::replace_part(cx, s, 0..0, more)?;
    }
    Ok(args.me())
}

/// `insert(index, other) → self`: inserts a string before the character at the index, with a negative index after it.
/// IndexError for an index outside.
pub fn insert(cx: &mut Cx, args: Args) -> R {
    let index = convert::to_i64(cx, args.at(0))?;
    let other = argument(cx, args.at(1))?;
    let s = Str::of(args.me());
    compatible(cx, s, other)?;
    let at = if index == -1 {
        Some(s.len()..s.len())
    } else {
        span::of_chars(s, if index < 0 { index + 1 } else { index }, 0)
    };
    match at {
        Some(at) => {
            let s = modifiable(cx, args.me())?;
            super::index::replace_part(cx, s, at, other)?;
        }
        None => return Err(cx.index_error(&format!("index {index} out of string"))),
    }
    Ok(args.me())
}
