//! Character boundaries: exact lengths in every encoding.

use super::id::EncodingId;
use super::legacy;
use super::table::Family;

/// The classification of the bytes at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharLen {
    /// A character of this many bytes.
    Valid(usize),
    /// No character starts like this; skip this many bytes (at least 1 unless there are none left).
    Invalid(usize),
    /// The start of a character that lacks at least this many bytes.
    NeedMore(usize),
}

/// Examines the character that starts `bytes`; following bytes do not matter.
#[inline]
pub fn char_len(encoding: EncodingId, bytes: &[u8]) -> CharLen {
    let family = encoding.family();
    let Some(&first) = bytes.first() else {
        return CharLen::NeedMore(family.min_len());
    };
    match family {
        Family::Single => CharLen::Valid(1),
        Family::Ascii if first < 0x80 => CharLen::Valid(1),
        Family::Ascii => CharLen::Invalid(1),
        Family::Utf8 => utf8(first, bytes),
        Family::Utf16Be => utf16(bytes, 0),
        Family::Utf16Le => utf16(bytes, 1),
        Family::Utf32Be => utf32(bytes, [0, 1, 2]),
        Family::Utf32Le => utf32(bytes, [3, 2, 1]),
        Family::Cesu8 => cesu8(first, bytes),
        _ => legacy::char_len(family, first, bytes),
    }
}

/// The length of the character that starts `bytes`; if it is broken, the length to skip (the encoding's shortest
/// character, or the rest). 0 only for no bytes.
#[inline]
pub fn char_len_or_min(encoding: EncodingId, bytes: &[u8]) -> usize {
    match char_len(encoding, bytes) {
        CharLen::Valid(len) => len,
        _ => encoding.min_char_len().min(bytes.len()),
    }
}

/// The valid range of the second byte of a UTF-8 character, and the character's length.
const fn utf8_lead(first: u8) -> Option<(usize, u8, u8)> {
    Some(match first {
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xE1..=0xEC | 0xEE..=0xEF => (3, 0x80, 0xBF),
        0xED => (3, 0x80, 0x9F),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => return None,
    })
}

#[inline]
fn utf8(first: u8, bytes: &[u8]) -> CharLen {
    if first < 0x80 {
        return CharLen::Valid(1);
    }
    match utf8_lead(first) {
        Some((len, low, high)) => continued(bytes, len, low, high),
        None => CharLen::Invalid(1),
    }
}

fn continued(bytes: &[u8], len: usize, low: u8, high: u8) -> CharLen {
    for at in 1..len {
        let (low, high) = if at == 1 { (low, high) } else { (0x80, 0xBF) };
        match bytes.get(at) {
            None => return CharLen::NeedMore(len - at),
            Some(byte) if (low..=high).contains(byte) => {}
            Some(_) => return CharLen::Invalid(1),
        }
    }
    CharLen::Valid(len)
}

/// UTF-8 up to U+FFFF; above, a surrogate pair of three bytes each.
fn cesu8(first: u8, bytes: &[u8]) -> CharLen {
    match first {
        0..=0x7F => return CharLen::Valid(1),
        0xC2..=0xDF => return continued(bytes, 2, 0x80, 0xBF),
        0xE0 => return continued(bytes, 3, 0xA0, 0xBF),
        0xED => {}
        0xE1..=0xEF => return continued(bytes, 3, 0x80, 0xBF),
        _ => return CharLen::Invalid(1),
    }
    if matches!(bytes.get(1), Some(0x80..=0x9F)) {
        return continued(bytes, 3, 0x80, 0x9F);
    }
    const PAIR: [(u8, u8); 6] = [(0xED, 0xED), (0xA0, 0xAF), (0x80, 0xBF), (0xED, 0xED), (0xB0, 0xBF), (0x80, 0xBF)];
    for (at, (low, high)) in PAIR.into_iter().enumerate() {
        match bytes.get(at) {
            None if at == 1 => return CharLen::NeedMore(2),
            None => return CharLen::NeedMore(PAIR.len() - at),
            Some(byte) if (low..=high).contains(byte) => {}
            Some(_) => return CharLen::Invalid(1),
        }
    }
    CharLen::Valid(PAIR.len())
}

/// `high` is the index of a unit's high byte.
fn utf16(bytes: &[u8], high: usize) -> CharLen {
    if bytes.len() < 2 {
        return CharLen::NeedMore(1);
    }
    match bytes[high] {
        0xD8..=0xDB => match bytes.get(2 + high) {
            Some(0xDC..=0xDF) if bytes.len() >= 4 => CharLen::Valid(4),
            Some(0xDC..=0xDF) | None => CharLen::NeedMore(4 - bytes.len().min(3)),
            Some(_) => CharLen::Invalid(2),
        },
        0xDC..=0xDF => CharLen::Invalid(2),
        _ => CharLen::Valid(2),
    }
}

/// `order` has the indices of the three high bytes, the highest first.
fn utf32(bytes: &[u8], order: [usize; 3]) -> CharLen {
    if bytes.len() < 4 {
        return CharLen::NeedMore(4 - bytes.len());
    }
    let surrogate = bytes[order[1]] == 0 && matches!(bytes[order[2]], 0xD8..=0xDF);
    if bytes[order[0]] != 0 || bytes[order[1]] > 0x10 || surrogate { CharLen::Invalid(4) } else { CharLen::Valid(4) }
}
