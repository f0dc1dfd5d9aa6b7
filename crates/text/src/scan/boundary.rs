//! Finding character boundaries without walking from the start.

use crate::encoding::{CharLen, EncodingId, Family, char_len, char_len_or_min};

/// The start of the character that contains byte `at`; `at` itself at the end.
pub fn char_start(encoding: EncodingId, bytes: &[u8], at: usize) -> usize {
    let at = at.min(bytes.len());
    if at == 0 || at == bytes.len() {
        return at;
    }
    match encoding.family() {
        Family::Single | Family::Ascii => at,
        Family::Utf8 | Family::Cesu8 => utf8_start(encoding, bytes, at),
        Family::Utf16Be => utf16_start(bytes, at, 0),
        Family::Utf16Le => utf16_start(bytes, at, 1),
        Family::Utf32Be | Family::Utf32Le => at & !3,
        _ => legacy_start(encoding, bytes, at),
    }
}

/// The first character boundary at or after byte `at`; a byte outside of any character counts as a character.
pub fn next_char_start(encoding: EncodingId, bytes: &[u8], at: usize) -> usize {
    let start = char_start(encoding, bytes, at);
    if start < at { (start + char_len_or_min(encoding, &bytes[start..])).max(at.min(bytes.len())) } else { start }
}

/// The start of the character before byte `at`; `None` at the start.
pub fn prev_char_start(encoding: EncodingId, bytes: &[u8], at: usize) -> Option<usize> {
    let before = at.min(bytes.len()).checked_sub(1)?;
    Some(char_start(encoding, bytes, before))
}

/// The nearest lead byte; like Ruby, without checking that its character reaches that far.
fn utf8_start(encoding: EncodingId, bytes: &[u8], at: usize) -> usize {
    let start = bytes[..=at].iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
    // A low surrogate of CESU-8 may be the second half of a pair.
    if encoding.family() == Family::Cesu8
        && bytes[start] == 0xED
        && start >= 3
        && char_len(encoding, &bytes[start - 3..]) == CharLen::Valid(6)
    {
        return start - 3;
    }
    start
}

fn utf16_start(bytes: &[u8], at: usize, high: usize) -> usize {
    let at = at & !1;
    let surrogate = |at: usize, low: u8| bytes.get(at + high).is_some_and(|b| b & 0xFC == low);
    if at >= 2 && surrogate(at, 0xDC) && surrogate(at - 2, 0xD8) { at - 2 } else { at }
}

/// A byte below 0x30 ends a character in all of these encodings; the walk starts after the last such byte.
fn legacy_start(encoding: EncodingId, bytes: &[u8], at: usize) -> usize {
    let mut start = bytes[..at].iter().rposition(|&byte| byte < 0x30).map_or(0, |found| found + 1);
    loop {
        let next = start + char_len_or_min(encoding, &bytes[start..]);
        if next > at {
            return start;
        }
        start = next;
    }
}
