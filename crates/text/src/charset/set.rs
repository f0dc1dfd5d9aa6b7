//! Sets of characters: count, delete, squeeze.

use super::next_code;
use super::parse::{CharSetError, Span, parse};
use crate::encoding::EncodingId;

/// The characters that are in every one of some sets.
#[derive(Clone, Debug)]
pub struct CharSet {
    /// For code points below 256.
    low: [bool; 256],
    sets: Vec<(Vec<Span>, bool)>,
}

impl CharSet {
    /// The intersection of the sets that `texts` describe, all in text of `encoding`.
    pub fn new<'a>(encoding: EncodingId, texts: impl IntoIterator<Item = &'a [u8]>) -> Result<CharSet, CharSetError> {
        let sets = texts.into_iter().map(|text| parse(encoding, text)).collect::<Result<Vec<_>, _>>()?;
        let mut low = [false; 256];
        for (code, member) in low.iter_mut().enumerate() {
            *member = in_all(&sets, code as u32);
        }
        Ok(CharSet { low, sets })
    }

    /// Whether the character is in all of the sets.
    #[inline]
    pub fn contains(&self, code: u32) -> bool {
        match self.low.get(code as usize) {
            Some(&member) => member,
            None => in_all(&self.sets, code),
        }
    }
}

fn in_all(sets: &[(Vec<Span>, bool)], code: u32) -> bool {
    sets.iter().all(|(spans, negated)| spans.iter().any(|span| (span.first..=span.last).contains(&code)) != *negated)
}

/// `String#count`.
pub fn count(encoding: EncodingId, bytes: &[u8], set: &CharSet) -> Result<usize, CharSetError> {
    let (mut rest, mut found) = (bytes, 0);
    while !rest.is_empty() {
        let (code, len) = next_code(encoding, rest)?;
        found += usize::from(set.contains(code));
        rest = &rest[len..];
    }
    Ok(found)
}

/// `String#delete`; `None` where nothing is deleted.
pub fn delete(encoding: EncodingId, bytes: &[u8], set: &CharSet) -> Result<Option<Vec<u8>>, CharSetError> {
    keep(encoding, bytes, |_, code| !set.contains(code))
}

/// `String#squeeze`, of all characters where there is no set; `None` where nothing is squeezed.
pub fn squeeze(encoding: EncodingId, bytes: &[u8], set: Option<&CharSet>) -> Result<Option<Vec<u8>>, CharSetError> {
    keep(encoding, bytes, |before, code| before != Some(code) || set.is_some_and(|set| !set.contains(code)))
}

/// The characters that `wanted` wants, given the code point before (wanted or not) and their own.
fn keep(
    encoding: EncodingId,
    bytes: &[u8],
    wanted: impl Fn(Option<u32>, u32) -> bool,
) -> Result<Option<Vec<u8>>, CharSetError> {
    let mut out = Vec::new();
    let (mut at, mut copied, mut before) = (0, 0, None);
    while at < bytes.len() {
        let (code, len) = next_code(encoding, &bytes[at..])?;
        if !wanted(before, code) {
            out.extend_from_slice(&bytes[copied..at]);
            copied = at + len;
        }
        before = Some(code);
        at += len;
    }
    if copied == 0 {
        return Ok(None);
    }
    out.extend_from_slice(&bytes[copied..]);
    Ok(Some(out))
}
