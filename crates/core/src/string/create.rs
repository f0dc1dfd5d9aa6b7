//! Creation: new, try_convert, dup, replace, freeze, `+@`, `-@`.

use abi::Flags;
use object::{
    Known, cell, class,
    string::{Str, intern},
};
use runtime::{Args, Cx, R, Value, call, convert, error::OrRaise, keys, make, sym};
use text::{CodeRange, EncodingId};

use super::modify::{self, argument, modifiable};
use crate::encoding;

/// `String.allocate → string`: an empty string of the receiver's class, BINARY.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(Str::empty(cx, EncodingId::BINARY).with_class(args.me()).value())
}

/// `String.new(string = "", encoding: nil, capacity: nil)`: copies the bytes and the encoding of the string, then sets
/// the given encoding without a conversion. `capacity` reserves that many bytes.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::ENCODING, sym::CAPACITY])?;
    let wanted = keys::keyword(cx, args.keywords(), sym::ENCODING);
    let capacity = keys::keyword(cx, args.keywords(), sym::CAPACITY);
    let given = match args.opt(0) {
        Some(v) => Some(argument(cx, v)?),
        None => None,
    };
    let wanted = if wanted.is_undef() || wanted.is_nil() { None } else { Some(encoding::from_value(cx, wanted)?) };
    let capacity =
        if capacity.is_undef() || capacity.is_nil() { 0 } else { convert::to_i64(cx, capacity)?.max(0) as usize };
    if given.is_none() && wanted.is_none() && capacity == 0 {
        return Ok(args.me());
    }
    let s = modifiable(cx, args.me())?;
    if let Some(given) = given {
        s.replace(cx, given).or_raise(cx)?;
    }
    if capacity > s.len() {
        s.reserve(cx, capacity - s.len()).or_raise(cx)?;
    }
    if let Some(wanted) = wanted {
        s.set_encoding(wanted);
    }
    Ok(args.me())
}

/// `String.try_convert(object) → string or nil`: the object if it is a String, otherwise the result of its `to_str`;
/// nil without that method. TypeError if `to_str` returns another object.
pub fn try_convert(cx: &mut Cx, args: Args) -> R {
    Ok(convert::try_str(cx, args.at(0))?.map_or(Value::NIL, Str::value))
}

/// `initialize_copy(other)`, `replace(other) → self`: copies the bytes and the encoding of `other`. TypeError unless
/// `other` is a String or has `to_str`.
pub fn replace(cx: &mut Cx, args: Args) -> R {
    let s = modifiable(cx, args.me())?;
    let other = argument(cx, args.at(0))?;
    let s = if s.value() == other.value() { s } else { modifiable(cx, args.me())? };
    s.replace(cx, other).or_raise(cx)?;
    Ok(args.me())
}

/// `dup → string`: a copy of the same class, not frozen; `initialize_copy` is only called for subclasses.
pub fn dup(cx: &mut Cx, args: Args) -> R {
    if cell::header(args.me()).shape() == Known::String.root_shape() {
        return Ok(Str::of(args.me()).dup(cx).value());
    }
    let entry = class::lookup::own_method(cx.class(Known::String), sym::DUP);
    call::call_super(cx, entry, args.me(), &[], None, abi::BlockHandler::NONE)
}

/// `to_s → string`: the receiver itself, or a plain String if it is an instance of a subclass. Alias: `to_str`.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    if class::real_class(cx, args.me()) == cx.class(Known::String) {
        return Ok(args.me());
    }
    Ok(Str::of(args.me()).dup(cx).value())
}

/// `freeze → self`: the bytes and the encoding can no longer be changed; a chilled literal becomes frozen without a
/// warning.
pub fn freeze(cx: &mut Cx, args: Args) -> R {
    let _ = cx;
    Str::of(args.me()).freeze();
    Ok(args.me())
}

/// `+self → string`: the receiver, or a copy if it is frozen or a chilled literal.
pub fn unary_plus(cx: &mut Cx, args: Args) -> R {
    if cell::header(args.me()).flags() & (Flags::FROZEN | Flags::CHILLED) == 0 {
        return Ok(args.me());
    }
    Ok(Str::of(args.me()).dup(cx).value())
}

/// `-self → string`: the unique frozen String with these bytes and this encoding. Alias: `dedup`.
pub fn dedup(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    if cell::header(s.value()).shape() != Known::String.root_shape() {
        if cell::frozen(s.value()) {
            return Ok(s.value());
        }
        // An instance of a subclass stays one.
        let class = object::class::real_class(cx, s.value());
        let copy = if class == cx.class(Known::String) {
            s.dup(cx).value()
        } else {
            crate::object::copy::dup_object(cx, s.value())?
        };
        Str::of(copy).freeze();
        return Ok(copy);
    }
    Ok(intern::intern_string(cx, s).or_raise(cx)?.value())
}

/// `clear → self`: removes all bytes; the encoding is kept.
pub fn clear(cx: &mut Cx, args: Args) -> R {
    let s = modifiable(cx, args.me())?;
    s.clear(cx);
    Ok(args.me())
}

/// `reverse → string`: a copy with the last character first; invalid bytes count as one character each.
pub fn reverse(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    if s.is_ascii() || s.encoding().is_single_byte() {
        let (range, copy) = (s.known_code_range(), s.copied(cx, 0..s.len(), s.encoding()).or_raise(cx)?);
        if let Ok(bytes) = copy.bytes_mut(cx) {
            bytes.reverse();
        }
        copy.set_code_range(range);
        return Ok(copy.value());
    }
    let reversed = text::scan::reverse(s.encoding(), s.bytes(cx), s.code_range());
    let range = range_of_reversed(s.known_code_range());
    let result = Str::of(make::string_of_list(cx, reversed, s.encoding()));
    result.set_code_range(range);
    Ok(result.value())
}

/// `reverse! → self`: reverses the order of the characters in place.
pub fn reverse_bang(cx: &mut Cx, args: Args) -> R {
    let s = modifiable(cx, args.me())?;
    if s.is_ascii() || s.encoding().is_single_byte() {
        let range = s.known_code_range();
        let is_done = s.bytes_mut(cx).map(|bytes| bytes.reverse());
        is_done.or_raise(cx)?;
        s.set_code_range(range);
        return Ok(args.me());
    }
    let range = s.code_range();
    let reversed = text::scan::reverse(s.encoding(), s.bytes(cx), range);
    s.set_bytes(cx, &reversed).or_raise(cx)?;
    s.set_code_range(range_of_reversed(range));
    Ok(args.me())
}

/// Invalid bytes may become characters with those that follow them now.
fn range_of_reversed(range: CodeRange) -> CodeRange {
    if range == CodeRange::Broken { CodeRange::Unknown } else { range }
}

/// `succ → string`: the successor: the last letter or digit is incremented and carries to the left, as "az" to "ba" and
/// "Zz9" to "AAa0"; without any the last character is incremented. Alias: `next`.
pub fn succ(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let encoding = s.encoding();
    // Text that ends with a letter or digit which is not the last of its kind: only that one changes.
    let is_plain_end = |byte: &u8| byte.is_ascii_alphanumeric() && !matches!(byte, b'9' | b'z' | b'Z');
    if encoding == EncodingId::UTF_8 && s.bytes(cx).last().is_some_and(is_plain_end) {
        let copy = s.copied(cx, 0..s.len(), encoding).or_raise(cx)?;
        let range = copy.known_code_range();
        let changed = copy.bytes_mut(cx).map(|bytes| bytes.last_mut().map(|last| *last += 1));
        changed.or_raise(cx)?;
        copy.set_code_range(range);
        return Ok(copy.value());
    }
    if s.is_ascii() {
        let copy = s.copied(cx, 0..s.len(), encoding).or_raise(cx)?;
        let is_done = copy.bytes_mut(cx).map(|bytes| text::succ::succ_in_place(encoding, bytes));
        if is_done.or_raise(cx)? {
            copy.set_code_range(CodeRange::SevenBit);
            return Ok(copy.value());
        }
    }
    let next = text::succ::succ(encoding, s.bytes(cx));
    modify::new(cx, &next, s.encoding())
}

/// `succ! → self`: `succ` in place. Alias: `next!`.
pub fn succ_bang(cx: &mut Cx, args: Args) -> R {
    let s = modifiable(cx, args.me())?;
    let next = text::succ::succ(s.encoding(), s.bytes(cx));
    s.set_bytes(cx, &next).or_raise(cx)?;
    Ok(args.me())
}
