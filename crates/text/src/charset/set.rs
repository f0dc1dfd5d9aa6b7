//! Sets of characters: count, delete, squeeze.

use super::next_code;
use super::parse::{CharSetError, Span, parse};
use crate::encoding::EncodingId;
use memory::{Grow, ToVector};

/// The intersection of some sets of characters.
#[derive(Clone, Debug)]
pub struct CharSet {
    /// A bit for each code point below 256.
    low: Low,
    sets: Vec<(Vec<Span>, bool)>,
}

/// 256 bits. Most strings are short, and filling a table of 256 bytes would take longer than the search.
#[derive(Clone, Copy, Debug)]
struct Low([u64; 4]);

impl Low {
    fn of(spans: &[Span], negated: bool) -> Low {
        let mut bits = [0u64; 4];
        for span in spans.iter().filter(|span| span.first < 256) {
            for code in span.first..=span.last.min(255) {
                bits[code as usize >> 6] |= 1 << (code & 63);
            }
        }
        Low(if negated { bits.map(|bits| !bits) } else { bits })
    }

    /// The bits of a set described by ASCII text, and whether it is negated: like `parse`, but without a list of spans.
    fn of_ascii(text: &[u8]) -> Result<(Low, bool), CharSetError> {
        let negated = matches!(text, [b'^', _, ..]);
        let mut rest = if negated { &text[1..] } else { text };
        let mut bits = [0u64; 4];
        loop {
            if let [b'\\', quoted @ ..] = rest
                && !quoted.is_empty()
            {
                rest = quoted;
            }
            let Some((&first, tail)) = rest.split_first() else { break };
            let mut last = first;
            rest = tail;
            if let [b'-', end, tail @ ..] = rest {
                last = *end;
                rest = tail;
            }
            if first > last {
                return Err(CharSetError::InvalidAsciiRange(first, last));
            }
            for code in first..=last {
                bits[usize::from(code >> 6)] |= 1 << (code & 63);
            }
        }
        Ok((Low(if negated { bits.map(|bits| !bits) } else { bits }), negated))
    }

    #[inline(always)]
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }
}

impl CharSet {
    /// The intersection of the sets that `texts` describe, all in text of `encoding`.
    pub fn new<'a>(encoding: EncodingId, texts: impl IntoIterator<Item = &'a [u8]>) -> Result<CharSet, CharSetError> {
        let mut low = Low([u64::MAX; 4]);
        let mut sets = Vec::new();
        for text in texts {
            let (bits, set) = if encoding.is_ascii_compatible() && text.is_ascii() {
                // A set of ASCII text has no characters beyond the bits.
                let (bits, negated) = Low::of_ascii(text)?;
                (bits, (Vec::new(), negated))
            } else {
                let (spans, negated) = parse(encoding, text)?;
                (Low::of(&spans, negated), (spans, negated))
            };
            for (all, these) in low.0.iter_mut().zip(bits.0) {
                *all &= these;
            }
            sets.append_one(set);
        }
        Ok(CharSet { low, sets })
    }

    /// Whether the character is in all of the sets.
    #[inline]
    pub fn contains(&self, code: u32) -> bool {
        match u8::try_from(code) {
            Ok(byte) => self.low.has(byte),
            Err(_) => in_all(&self.sets, code),
        }
    }
}

fn in_all(sets: &[(Vec<Span>, bool)], code: u32) -> bool {
    sets.iter().all(|(spans, negated)| spans.iter().any(|span| (span.first..=span.last).contains(&code)) != *negated)
}

/// `String#count` for strings in which every byte is a character.
pub fn count_bytes(bytes: &[u8], set: &CharSet) -> usize {
    bytes.iter().map(|&byte| usize::from(set.low.has(byte))).sum()
}

/// `String#delete` for strings in which every byte is a character; `None` if nothing is deleted.
pub fn delete_bytes(bytes: &[u8], set: &CharSet) -> Option<Vec<u8>> {
    let first = bytes.iter().position(|&byte| set.low.has(byte))?;
    let mut out = bytes.to_vector();
    let mut kept = first;
    for &byte in &bytes[first..] {
        // Writes unconditionally, to avoid a branch.
        out[kept] = byte;
        kept += usize::from(!set.low.has(byte));
    }
    out.truncate(kept);
    Some(out)
}

/// `String#squeeze` for strings in which every byte is a character, of all characters without a set; `None` if nothing
/// is squeezed.
pub fn squeeze_bytes(bytes: &[u8], set: Option<&CharSet>) -> Option<Vec<u8>> {
    match set {
        Some(set) => squeeze_where(bytes, |byte| set.low.has(byte)),
        None => squeeze_where(bytes, |_| true),
    }
}

/// Bytes without those that repeat the one before and for which `goes` is true.
#[inline(always)]
fn squeeze_where(bytes: &[u8], goes: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
    let first = bytes.windows(2).position(|pair| pair[0] == pair[1] && goes(pair[1]))? + 1;
    let mut out = bytes.to_vector();
    let (mut kept, mut before) = (first, bytes[first]);
    for &byte in &bytes[first + 1..] {
        // A byte that is dropped is overwritten by the next one.
        out[kept] = byte;
        kept += usize::from(byte != before || !goes(byte));
        before = byte;
    }
    out.truncate(kept);
    Some(out)
}

/// Whether only single bytes of this text can be in the set: valid UTF-8, and a set of ASCII characters.
fn is_of_bytes(encoding: EncodingId, bytes: &[u8], set: &CharSet) -> bool {
    let within = |(spans, negated): &(Vec<Span>, bool)| !negated && spans.iter().all(|span| span.last < 0x80);
    encoding == EncodingId::UTF_8 && set.sets.iter().any(within) && std::str::from_utf8(bytes).is_ok()
}

/// `String#count`.
pub fn count(encoding: EncodingId, bytes: &[u8], set: &CharSet) -> Result<usize, CharSetError> {
    if is_of_bytes(encoding, bytes, set) {
        return Ok(count_bytes(bytes, set));
    }
    let (mut rest, mut found) = (bytes, 0);
    while !rest.is_empty() {
        let (code, len) = next_code(encoding, rest)?;
        found += usize::from(set.contains(code));
        rest = &rest[len..];
    }
    Ok(found)
}

/// `String#delete`; `None` if nothing is deleted.
pub fn delete(encoding: EncodingId, bytes: &[u8], set: &CharSet) -> Result<Option<Vec<u8>>, CharSetError> {
    if is_of_bytes(encoding, bytes, set) {
        return Ok(delete_bytes(bytes, set));
    }
    keep(encoding, bytes, |_, code| !set.contains(code))
}

/// `String#squeeze`, of all characters without a set; `None` if nothing is squeezed.
pub fn squeeze(encoding: EncodingId, bytes: &[u8], set: Option<&CharSet>) -> Result<Option<Vec<u8>>, CharSetError> {
    if set.is_some_and(|set| is_of_bytes(encoding, bytes, set)) {
        return Ok(squeeze_bytes(bytes, set));
    }
    keep(encoding, bytes, |before, code| before != code || set.is_some_and(|set| !set.contains(code)))
}

/// In place of the code point before the first one.
const NONE_BEFORE: u32 = u32::MAX;

/// The characters for which `wanted(previous code point, code point)` is true; `None` if that is all of them.
fn keep(
    encoding: EncodingId,
    bytes: &[u8],
    wanted: impl Fn(u32, u32) -> bool,
) -> Result<Option<Vec<u8>>, CharSetError> {
    if encoding == EncodingId::UTF_8
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Ok(keep_of_utf8(text, wanted));
    }
    let mut out = Vec::new();
    let (mut at, mut copied, mut before) = (0, 0, NONE_BEFORE);
    while at < bytes.len() {
        let (code, len) = next_code(encoding, &bytes[at..])?;
        if !wanted(before, code) {
            out.append_slice(&bytes[copied..at]);
            copied = at + len;
        }
        before = code;
        at += len;
    }
    if copied == 0 {
        return Ok(None);
    }
    out.append_slice(&bytes[copied..]);
    Ok(Some(out))
}

/// `keep` for UTF-8. An ASCII character is written before it is known whether it stays: a branch for each of them
/// would be mispredicted often.
#[inline(always)]
fn keep_of_utf8(text: &str, wanted: impl Fn(u32, u32) -> bool) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vector();
    let (mut at, mut kept, mut before) = (0, 0, NONE_BEFORE);
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            out[kept] = byte;
            kept += usize::from(wanted(before, byte.into()));
            before = byte.into();
            at += 1;
            continue;
        }
        let Some(letter) = text[at..].chars().next() else { break };
        let next = at + letter.len_utf8();
        if wanted(before, letter.into()) {
            out[kept..kept + next - at].copy_from_slice(&bytes[at..next]);
            kept += next - at;
        }
        before = letter.into();
        at = next;
    }
    if kept == bytes.len() {
        return None;
    }
    out.truncate(kept);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_sets_are_those_of_any_text() {
        for text in
            ["", "^", "^^", "a-c", "^a-c", "a-", "-a", "\\-a", "a\\-z", "\\", "\\\\", "a-\\", "^-", "a-c-e", "c-a"]
        {
            let of_any = parse(EncodingId::UTF_8, text.as_bytes()).map(|(spans, negated)| Low::of(&spans, negated).0);
            assert_eq!(Low::of_ascii(text.as_bytes()).map(|(low, _)| low.0), of_any, "{text}");
        }
    }
}
