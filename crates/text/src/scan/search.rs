//! Finding one string in another, at character boundaries only.

use memchr::memmem;

use crate::encoding::{EncodingId, char_len_or_min};
use crate::scan::{char_start, next_char_start};

/// The first position at or after byte `from` where `needle` occurs at a character boundary.
pub fn find(encoding: EncodingId, bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    find_by(encoding, bytes, needle.is_empty(), from, |rest| first_occurrence(rest, needle))
}

/// `search` returns the first occurrence in a rest of the bytes.
#[inline]
fn find_by(
    encoding: EncodingId,
    bytes: &[u8],
    is_empty: bool,
    from: usize,
    search: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    if from > bytes.len() {
        return None;
    }
    if is_empty {
        return Some(from);
    }
    let mut from = from;
    loop {
        let hit = from + search(&bytes[from..])?;
        // Such a byte is a character of its own.
        if encoding.is_single_byte() || encoding.is_utf8() && bytes.get(hit).is_some_and(u8::is_ascii) {
            return Some(hit);
        }
        let start = next_char_start(encoding, bytes, hit);
        if start == hit {
            return Some(hit);
        }
        from = start;
    }
}

/// A text that is searched for again and again, prepared once.
pub struct Needle<'a> {
    text: &'a [u8],
    finder: memmem::Finder<'a>,
}

impl<'a> Needle<'a> {
    pub fn new(text: &'a [u8]) -> Needle<'a> {
        Needle { text, finder: memmem::Finder::new(text) }
    }

    /// Like [`find`].
    pub fn find(&self, encoding: EncodingId, bytes: &[u8], from: usize) -> Option<usize> {
        find_by(encoding, bytes, self.text.is_empty(), from, |rest| match self.text {
            [byte] => memchr::memchr(*byte, rest),
            _ => self.finder.find(rest),
        })
    }
}

/// The last position at or before byte `from` where `needle` occurs at a character boundary.
pub fn rfind(encoding: EncodingId, bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let mut from = from.min(bytes.len().checked_sub(needle.len())?);
    if needle.is_empty() {
        return Some(from);
    }
    loop {
        let hit = memmem::rfind(&bytes[..from + needle.len()], needle)?;
        if char_start(encoding, bytes, hit) == hit {
            return Some(hit);
        }
        from = hit.checked_sub(1)?;
    }
}

/// `String#start_with?` for one string: the prefix must not end inside a character.
pub fn starts_with(encoding: EncodingId, bytes: &[u8], prefix: &[u8]) -> bool {
    if !bytes.starts_with(prefix) {
        return false;
    }
    // If the character before this byte is complete, the byte is not inside it even if it starts no character.
    let start = char_start(encoding, bytes, prefix.len());
    start == prefix.len() || start + char_len_or_min(encoding, &bytes[start..]) == prefix.len()
}

/// `String#end_with?` for one string: the suffix must not start inside a character.
pub fn ends_with(encoding: EncodingId, bytes: &[u8], suffix: &[u8]) -> bool {
    let Some(at) = bytes.len().checked_sub(suffix.len()) else {
        return false;
    };
    bytes.ends_with(suffix) && char_start(encoding, bytes, at) == at
}

fn first_occurrence(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [byte] => memchr::memchr(*byte, bytes),
        _ => memmem::find(bytes, needle),
    }
}
