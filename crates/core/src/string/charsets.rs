//! tr, delete, squeeze, count: methods with character sets.

use memory::Grow;
use object::string::Str;
use runtime::{Args, Cx, R, Unwind, Value, error::OrRaise};
use text::{
    CodeRange, EncodingId,
    charset::{self, AsciiTranslation, CharSet, CharSetError, Translation},
};

use super::modify::{self, argument, compatible, modifiable};

fn raise(cx: &mut Cx, error: CharSetError, encoding: EncodingId) -> Unwind {
    match error {
        CharSetError::InvalidAsciiRange(low, high) => cx.argument_error(&format!(
            "invalid range \"{}-{}\" in string transliteration",
            char::from(low),
            char::from(high)
        )),
        CharSetError::InvalidRange => cx.argument_error("invalid range in string transliteration"),
        CharSetError::InvalidByteSequence => modify::invalid_bytes(cx, encoding),
    }
}

/// The intersection of the given sets.
pub fn set(cx: &mut Cx, s: Str, given: &[Value]) -> R<CharSet> {
    set_in(cx, s, given).map(|(set, _)| set)
}

fn set_in(cx: &mut Cx, s: Str, given: &[Value]) -> R<(CharSet, EncodingId)> {
    let (set, encoding) = if let [one] = given {
        let text = argument(cx, *one)?;
        let encoding = compatible(cx, s, text)?;
        (CharSet::new(encoding, [text.bytes(cx)]), encoding)
    } else {
        let mut encoding = s.encoding();
        let mut texts = Vec::new();
        for v in given {
            let text = argument(cx, *v)?;
            encoding = compatible(cx, s, text)?;
            texts.append_one(text.to_vector());
        }
        (CharSet::new(encoding, texts.iter().map(Vec::as_slice)), encoding)
    };
    match set {
        Ok(set) => Ok((set, encoding)),
        Err(error) => Err(raise(cx, error, encoding)),
    }
}

/// Whether all bytes are valid characters.
fn is_bytewise(s: Str) -> bool {
    modify::is_single_byte(s) && s.code_range() != CodeRange::Broken
}

fn check_given(cx: &mut Cx, args: Args) -> R<()> {
    if args.is_empty() { Err(cx.argument_error("wrong number of arguments (given 0, expected 1+)")) } else { Ok(()) }
}

/// `count(*sets) → integer`: the number of characters that are in all sets. A set lists characters and ranges (`a-z`);
/// a leading `^` inverts it, a backslash quotes. ArgumentError without a set and for a descending range.
pub fn count(cx: &mut Cx, args: Args) -> R {
    check_given(cx, args)?;
    let s = Str::of(args.me());
    if let [one] = args.all()
        && let Some(one) = Str::from_value(*one)
        && let [byte] = *one.bytes(cx)
        && byte.is_ascii()
        && s.encoding().is_ascii_compatible()
        && (s.encoding().is_utf8() || modify::is_single_byte(s))
        && s.code_range() != CodeRange::Broken
    {
        let found = text::scan::count_byte(byte, s.bytes(cx));
        return Ok(Value::fixnum(found as i64));
    }
    let (set, encoding) = set_in(cx, s, args.all())?;
    if is_bytewise(s) {
        return Ok(Value::fixnum(charset::count_bytes(s.bytes(cx), &set) as i64));
    }
    match charset::count(encoding, s.bytes(cx), &set) {
        Ok(count) => Ok(Value::fixnum(count as i64)),
        Err(error) => Err(raise(cx, error, encoding)),
    }
}

/// Whether the receiver is changed itself. Then it must not be frozen, which is noticed after errors of the arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Copy,
    Receiver,
}

impl Place {
    fn check(self, cx: &mut Cx, s: Str) -> R<()> {
        if self == Place::Receiver {
            modifiable(cx, s.value())?;
        }
        Ok(())
    }
}

fn deleted(cx: &mut Cx, s: Str, args: Args, place: Place) -> R<Option<Vec<u8>>> {
    if s.is_empty() {
        return Ok(None);
    }
    check_given(cx, args)?;
    let (set, encoding) = set_in(cx, s, args.all())?;
    place.check(cx, s)?;
    deleted_of(cx, s, &set, encoding)
}

fn deleted_of(cx: &mut Cx, s: Str, set: &CharSet, encoding: EncodingId) -> R<Option<Vec<u8>>> {
    if is_bytewise(s) {
        return Ok(charset::delete_bytes(s.bytes(cx), set));
    }
    charset::delete(encoding, s.bytes(cx), set).map_err(|error| raise(cx, error, encoding))
}

fn squeezed(cx: &mut Cx, s: Str, args: Args, place: Place) -> R<Option<Vec<u8>>> {
    if args.is_empty() {
        place.check(cx, s)?;
        if modify::is_single_byte(s) {
            return Ok(charset::squeeze_bytes(s.bytes(cx), None));
        }
        let encoding = s.encoding();
        return charset::squeeze(encoding, s.bytes(cx), None).map_err(|error| raise(cx, error, encoding));
    }
    let (set, encoding) = set_in(cx, s, args.all())?;
    place.check(cx, s)?;
    if modify::is_single_byte(s) {
        return Ok(charset::squeeze_bytes(s.bytes(cx), Some(&set)));
    }
    charset::squeeze(encoding, s.bytes(cx), Some(&set)).map_err(|error| raise(cx, error, encoding))
}

/// What a translation has made.
enum Translated {
    Nothing,
    /// The bytes for the result.
    List(Vec<u8>),
    /// The receiver or a copy of it, whose bytes were translated where they are.
    In(Str),
}

impl Translated {
    fn of(bytes: Option<Vec<u8>>) -> Translated {
        bytes.map_or(Translated::Nothing, Translated::List)
    }
}

/// The translated bytes and their encoding.
fn translated(cx: &mut Cx, s: Str, args: Args, squeeze: bool, place: Place) -> R<(Translated, EncodingId)> {
    let (from, to) = (argument(cx, args.at(0))?, argument(cx, args.at(1))?);
    if s.is_empty() {
        return Ok((Translated::Nothing, s.encoding()));
    }
    if to.is_empty() {
        let encoding = s.encoding();
        let (set, in_encoding) = set_in(cx, s, &[from.value()])?;
        place.check(cx, s)?;
        let deleted = deleted_of(cx, s, &set, in_encoding)?;
        return Ok((Translated::of(deleted), encoding));
    }
    let first = compatible(cx, s, from)?;
    let second = compatible(cx, s, to)?;
    let encoding = if first == second { first } else { compatible(cx, from, to)? };
    if !squeeze
        && (modify::is_single_byte(s) || s.encoding().is_utf8() && s.code_range() == CodeRange::Valid)
        && encoding.is_ascii_compatible()
        && let Some(rules) = AsciiTranslation::new(from.bytes(cx), to.bytes(cx))
    {
        place.check(cx, s)?;
        let Some(first) = rules.first_in(s.bytes(cx)) else { return Ok((Translated::Nothing, encoding)) };
        let target = if place == Place::Copy { s.dup(cx) } else { s };
        return translated_in(cx, target, encoding, |bytes| rules.apply_to(&mut bytes[first..]));
    }
    let rules = match Translation::new(encoding, from.bytes(cx), to.bytes(cx)) {
        Ok(rules) => rules,
        Err(error) => return Err(raise(cx, error, encoding)),
    };
    place.check(cx, s)?;
    if place == Place::Receiver && !squeeze && modify::is_single_byte(s) && rules.is_ascii() {
        let Some(first) = rules.first_in(s.bytes(cx)) else { return Ok((Translated::Nothing, encoding)) };
        return translated_in(cx, s, encoding, |bytes| rules.apply_to(&mut bytes[first..]));
    }
    if (if squeeze { is_bytewise(s) } else { modify::is_single_byte(s) })
        && let Ok(bytes) = charset::translate_bytes(s.bytes(cx), &rules, squeeze)
    {
        return Ok((Translated::of(bytes), encoding));
    }
    match charset::translate(encoding, s.bytes(cx), &rules, squeeze) {
        Ok(bytes) => Ok((Translated::of(bytes), encoding)),
        Err(error) => Err(raise(cx, error, encoding)),
    }
}

/// Applies a translation to ASCII to the bytes of a String, each of which is a character.
fn translated_in(
    cx: &mut Cx,
    target: Str,
    encoding: EncodingId,
    apply: impl FnOnce(&mut [u8]),
) -> R<(Translated, EncodingId)> {
    let range = target.known_code_range();
    target.bytes_mut(cx).map(apply).or_raise(cx)?;
    if range == CodeRange::SevenBit {
        target.set_code_range(range);
    }
    Ok((Translated::In(target), encoding))
}

fn in_copy(cx: &mut Cx, s: Str, bytes: Option<Vec<u8>>) -> R {
    match bytes {
        // A part of an ASCII string is ASCII.
        Some(bytes) if s.known_code_range() == CodeRange::SevenBit => {
            Ok(Str::with_range(cx, &bytes, s.encoding(), CodeRange::SevenBit).or_raise(cx)?.value())
        }
        Some(bytes) => modify::new(cx, &bytes, s.encoding()),
        None => Ok(s.dup(cx).value()),
    }
}

fn in_place(cx: &mut Cx, s: Value, bytes: Option<Vec<u8>>) -> R {
    let Some(bytes) = bytes else { return Ok(Value::NIL) };
    let s = modifiable(cx, s)?;
    s.set_bytes(cx, &bytes).or_raise(cx)?;
    Ok(s.value())
}

/// `delete(*sets) → string`: a copy without the characters in all sets, with the syntax of `count`.
pub fn delete(cx: &mut Cx, args: Args) -> R {
    let bytes = deleted(cx, Str::of(args.me()), args, Place::Copy)?;
    in_copy(cx, Str::of(args.me()), bytes)
}

/// `delete!(*sets) → self or nil`: `delete` in place; nil if nothing changed.
pub fn delete_bang(cx: &mut Cx, args: Args) -> R {
    let bytes = deleted(cx, Str::of(args.me()), args, Place::Receiver)?;
    in_place(cx, args.me(), bytes)
}

/// `squeeze(*sets) → string`: a copy in which runs of the same character become one; with sets only runs of characters
/// in all of them.
pub fn squeeze(cx: &mut Cx, args: Args) -> R {
    let bytes = squeezed(cx, Str::of(args.me()), args, Place::Copy)?;
    in_copy(cx, Str::of(args.me()), bytes)
}

/// `squeeze!(*sets) → self or nil`: `squeeze` in place; nil if nothing changed.
pub fn squeeze_bang(cx: &mut Cx, args: Args) -> R {
    let bytes = squeezed(cx, Str::of(args.me()), args, Place::Receiver)?;
    in_place(cx, args.me(), bytes)
}

fn translated_copy(cx: &mut Cx, args: Args, squeeze: bool) -> R {
    let s = Str::of(args.me());
    match translated(cx, s, args, squeeze, Place::Copy)? {
        (Translated::List(bytes), encoding) => modify::of_list(cx, bytes, encoding),
        (Translated::In(copy), encoding) => {
            copy.set_encoding(encoding);
            Ok(copy.value())
        }
        (Translated::Nothing, _) => Ok(s.dup(cx).value()),
    }
}

fn translate_in_place(cx: &mut Cx, args: Args, squeeze: bool) -> R {
    let s = Str::of(args.me());
    let (translated, encoding) = translated(cx, s, args, squeeze, Place::Receiver)?;
    match translated {
        Translated::Nothing => return Ok(Value::NIL),
        Translated::List(bytes) => modifiable(cx, s.value())?.set_bytes(cx, &bytes).or_raise(cx)?,
        Translated::In(_) => {}
    }
    s.set_encoding(encoding);
    Ok(args.me())
}

/// `tr(from, to) → string`: a copy with each character of the set `from` replaced by the one at the same index in `to`,
/// whose last character repeats; an empty `to` deletes. With a leading `^` in `from` all others become the last of
/// `to`.
pub fn tr(cx: &mut Cx, args: Args) -> R {
    translated_copy(cx, args, false)
}

/// `tr!(from, to) → self or nil`: `tr` in place; nil if nothing changed.
pub fn tr_bang(cx: &mut Cx, args: Args) -> R {
    translate_in_place(cx, args, false)
}

/// `tr_s(from, to) → string`: like `tr`, but runs replaced by the same character become one.
pub fn tr_s(cx: &mut Cx, args: Args) -> R {
    translated_copy(cx, args, true)
}

/// `tr_s!(from, to) → self or nil`: `tr_s` in place; nil if nothing changed.
pub fn tr_s_bang(cx: &mut Cx, args: Args) -> R {
    translate_in_place(cx, args, true)
}
