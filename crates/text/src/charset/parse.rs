//! Reading a set's text into ranges of code points.

use super::next_code;
use crate::encoding::{CharLen, EncodingId, char_len};
use memory::Grow;

/// The reason why a set or a string is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharSetError {
    /// ArgumentError "invalid range "%c-%c" in string transliteration", both ends ASCII.
    InvalidAsciiRange(u8, u8),
    /// ArgumentError "invalid range in string transliteration".
    InvalidRange,
    /// ArgumentError "invalid byte sequence in %s".
    InvalidByteSequence,
}

/// Code points from `first` to `last`, both included, in the order they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// The set described by `text`, and whether a `^` negates it.
pub(super) fn parse(encoding: EncodingId, text: &[u8]) -> Result<(Vec<Span>, bool), CharSetError> {
    let caret = ascii_len(encoding, text, b'^').filter(|&len| len < text.len());
    match spans(encoding, &text[caret.unwrap_or(0)..]) {
        (spans, None) => Ok((spans, caret.is_some())),
        (_, Some(error)) => Err(error),
    }
}

/// The characters that `text` lists, with `^` as an ordinary character, up to the first error.
pub(super) fn spans(encoding: EncodingId, text: &[u8]) -> (Vec<Span>, Option<CharSetError>) {
    let (mut rest, mut spans) = (text, Vec::new());
    while !rest.is_empty() {
        match span(encoding, &mut rest) {
            Ok(span) => spans.append_one(span),
            Err(error) => return (spans, Some(error)),
        }
    }
    (spans, None)
}

/// Removes one character or range from the start of `rest`.
fn span(encoding: EncodingId, rest: &mut &[u8]) -> Result<Span, CharSetError> {
    if let Some(len) = ascii_len(encoding, rest, b'\\').filter(|&len| len < rest.len()) {
        *rest = &rest[len..];
    }
    let (first, len) = next_code(encoding, rest)?;
    *rest = &rest[len..];
    let mut last = first;
    if let Some(len) = ascii_len(encoding, rest, b'-').filter(|&len| len < rest.len()) {
        let (end, end_len) = next_code(encoding, &rest[len..])?;
        *rest = &rest[len + end_len..];
        last = end;
    }
    if first > last {
        return Err(match (u8::try_from(first), u8::try_from(last)) {
            (Ok(first @ 0..=0x7F), Ok(last)) => CharSetError::InvalidAsciiRange(first, last),
            _ => CharSetError::InvalidRange,
        });
    }
    Ok(Span { first, last })
}

/// The length of the first character if it is that ASCII character.
fn ascii_len(encoding: EncodingId, text: &[u8], ascii: u8) -> Option<usize> {
    if text.is_empty() {
        return None;
    }
    match next_code(encoding, text) {
        Ok((code, len)) if code == u32::from(ascii) => Some(len),
        _ => None,
    }
}

/// The next code point after `code` that is a character. Unicode and single-byte encodings have no gaps (surrogates
/// count, as in Ruby); in other encodings rows without characters are skipped at once.
pub(super) fn following(encoding: EncodingId, code: u32) -> Option<u32> {
    let mut code = code.checked_add(1)?;
    if encoding.is_unicode() || encoding.is_single_byte() {
        return Some(code);
    }
    loop {
        let all = code.to_be_bytes();
        let bytes = &all[(code.leading_zeros() as usize / 8).min(3)..];
        if char_len(encoding, bytes) == CharLen::Valid(bytes.len()) {
            return Some(code);
        }
        let dead = (1..=bytes.len())
            .find(|&len| !matches!(char_len(encoding, &bytes[..len]), CharLen::NeedMore(_)))
            .unwrap_or(bytes.len());
        let shift = 8 * (bytes.len() - dead) as u32;
        code = ((code >> shift).checked_add(1)?).checked_shl(shift).filter(|&next| next > code)?;
    }
}
