//! Checks before a String is modified, and compatibility of encodings.

use abi::{Flags, Type, Value};
use object::{
    cell,
    string::{CHILLED_NAME, JoinError, Str},
};
use runtime::{
    Cx, R, Unwind, convert,
    error::{ErrorClass, OrRaise},
    warning,
};
use text::{CodeRange, EncodingId};

/// The receiver of a method that modifies it: FrozenError for a frozen one, a warning for a chilled literal.
#[inline]
pub fn modifiable(cx: &mut Cx, v: Value) -> R<Str> {
    if cell::header(v).flags() & (Flags::FROZEN | Flags::CHILLED) != 0 {
        unchill(cx, v)?;
    }
    Ok(Str::of(v))
}

/// Warns about a chilled literal, before a change of the object other than its text.
pub fn warn_if_chilled(cx: &mut Cx, v: Value) -> R<()> {
    if cell::is(v, Type::String) && cell::header(v).has(Flags::CHILLED) { unchill(cx, v) } else { Ok(()) }
}

#[cold]
fn unchill(cx: &mut Cx, v: Value) -> R<()> {
    cx.check_frozen(v)?;
    let is_name = cell::header(v).has(CHILLED_NAME);
    cell::set_header(v, cell::header(v).without(Flags::CHILLED | CHILLED_NAME));
    if !cx.vm().options.warn_deprecated {
        return Ok(());
    }
    if is_name {
        let mut shown = Vec::new();
        text::inspect::inspect_symbol(Str::of(v).encoding(), Str::of(v).bytes(cx), EncodingId::UTF_8, &mut shown);
        let shown = memory::lossy_text(&shown);
        return warning::warn_deprecated(cx, &format!("string returned by {shown}.to_s will be frozen in the future"));
    }
    match runtime::frozen::origin(cx, v) {
        Some(origin) => {
            warning::warn_deprecated(cx, "literal string will be frozen in the future")?;
            warning::warn(cx, &format!("{origin}: info: the string was created here"))
        }
        None => warning::warn_deprecated(
            cx,
            "literal string will be frozen in the future (run with --debug-frozen-string-literal for more information)",
        ),
    }
}

/// The encoding of the concatenation of both; CompatibilityError if they are incompatible.
#[inline]
pub fn compatible(cx: &mut Cx, a: Str, b: Str) -> R<EncodingId> {
    match a.compatible(b) {
        Some(encoding) => Ok(encoding),
        None => Err(incompatible(cx, a.encoding(), b.encoding())),
    }
}

#[cold]
pub fn incompatible(cx: &mut Cx, a: EncodingId, b: EncodingId) -> Unwind {
    let message = format!("incompatible character encodings: {} and {}", shown_name(a), shown_name(b));
    cx.raise(ErrorClass::CompatibilityError, &message)
}

/// An encoding's name in messages.
pub fn shown_name(encoding: EncodingId) -> &'static str {
    if encoding == EncodingId::BINARY { "BINARY (ASCII-8BIT)" } else { encoding.name() }
}

/// The value of `$/`.
pub fn record_separator(cx: &Cx) -> Value {
    cx.root(runtime::Root::InputSeparator)
}

/// RuntimeError if a block has changed the length of the String that is being worked on; `before` is a copy.
pub fn check_length(cx: &mut Cx, s: Str, before: Str) -> R<()> {
    if s.len() == before.len() { Ok(()) } else { Err(cx.runtime_error("string modified")) }
}

/// ArgumentError "invalid byte sequence in UTF-8".
#[cold]
pub fn invalid_bytes(cx: &mut Cx, encoding: EncodingId) -> Unwind {
    cx.argument_error(&format!("invalid byte sequence in {}", encoding.name()))
}

/// A String argument, by to_str.
#[inline]
pub fn argument(cx: &mut Cx, v: Value) -> R<Str> {
    convert::to_str(cx, v)
}

/// Appends `more` to `to`, whose encoding becomes the one compatible with both.
#[inline]
pub fn append(cx: &mut Cx, to: Str, more: Str) -> R<()> {
    match to.concat(cx, more) {
        Ok(()) => Ok(()),
        Err(JoinError::Incompatible(a, b)) => Err(incompatible(cx, a, b)),
        Err(JoinError::Exhausted(exhausted)) => Err(exhausted).or_raise(cx),
    }
}

/// The part of `s` from byte `from` to byte `to` as a new String, which shares the bytes of a long part.
#[inline]
pub fn part(cx: &mut Cx, s: Str, from: usize, to: usize) -> R {
    Ok(s.slice(cx, from, to - from).or_raise(cx)?.value())
}

/// A String of these bytes.
#[inline]
pub fn new(cx: &mut Cx, bytes: &[u8], encoding: EncodingId) -> R {
    Ok(Str::new(cx, bytes, encoding).or_raise(cx)?.value())
}

/// A String of the bytes of a list, which do not exist twice meanwhile.
#[inline]
pub fn of_list(cx: &mut Cx, bytes: Vec<u8>, encoding: EncodingId) -> R {
    Ok(Str::of_list(cx, bytes, encoding).or_raise(cx)?.value())
}

/// The number of characters.
#[inline]
pub fn char_count(s: Str) -> usize {
    let encoding = s.encoding();
    if encoding.is_single_byte() {
        return s.len();
    }
    s.read((encoding, s.code_range()), |bytes, (encoding, range)| text::scan::char_count(encoding, bytes, range))
}

/// Whether each character is one byte.
#[inline]
pub fn is_single_byte(s: Str) -> bool {
    s.encoding().is_single_byte() || s.code_range() == CodeRange::SevenBit
}

/// The offset in `whole` of its part `part`.
#[inline]
pub fn offset_in(whole: &[u8], part: &[u8]) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}
