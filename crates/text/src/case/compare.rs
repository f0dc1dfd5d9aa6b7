//! casecmp and casecmp?.

use std::cmp::Ordering;

use super::{CaseError, CaseMapping, CaseOptions, map_case};
use crate::encoding::{EncodingId, char_len_or_min, codepoint};
use crate::scan::CodeRange;

/// `String#casecmp` of two strings that are compatible in `encoding`: compares ASCII letters without regard to case,
/// all other characters by bytes.
pub fn casecmp(encoding: EncodingId, first: &[u8], second: &[u8]) -> Ordering {
    let (mut first, mut second) = (first, second);
    if encoding.is_single_byte() || encoding.is_utf8() {
        // Before the first non-ASCII byte each character is one byte; in single-byte encodings every character is.
        let single = encoding.is_single_byte();
        let shared = first.len().min(second.len());
        let skipped = equal_lines(&first[..shared], &second[..shared], single);
        let skipped = skipped + equal_words(&first[skipped..shared], &second[skipped..shared], single);
        (first, second) = (&first[skipped..], &second[skipped..]);
        let shared = shared - skipped;
        let at = first
            .iter()
            .zip(second)
            .position(|(one, other)| !one.eq_ignore_ascii_case(other) || !(single || one.is_ascii()));
        let at = at.unwrap_or(shared);
        (first, second) = (&first[at..], &second[at..]);
        if !single {
            let at = same_characters(first, second);
            (first, second) = (&first[at..], &second[at..]);
        }
        if let ([one, ..], [other, ..]) = (first, second)
            && (single || one.is_ascii() && other.is_ascii())
        {
            return one.to_ascii_lowercase().cmp(&other.to_ascii_lowercase());
        }
    }
    while !first.is_empty() && !second.is_empty() {
        let (first_len, second_len) = (char_len_or_min(encoding, first), char_len_or_min(encoding, second));
        let order = match (ascii(encoding, first), ascii(encoding, second)) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => {
                let shared = first_len.min(second_len);
                first[..shared].cmp(&second[..shared]).then(first_len.cmp(&second_len))
            }
        };
        if order.is_ne() {
            return order;
        }
        first = &first[first_len..];
        second = &second[second_len..];
    }
    first.len().cmp(&second.len()).then(Ordering::Equal)
}

/// The length of the equal prefixes of two texts of the same length, in steps that the compiler vectorises. Without
/// `single`, the prefixes are ASCII.
fn equal_lines(first: &[u8], second: &[u8], single: bool) -> usize {
    const STEP: usize = 64;
    let same = |(one, other): &(&[u8], &[u8])| one.eq_ignore_ascii_case(other) && (single || one.is_ascii());
    STEP * first.chunks_exact(STEP).zip(second.chunks_exact(STEP)).take_while(same).count()
}

/// The same in steps of eight bytes.
fn equal_words(first: &[u8], second: &[u8], single: bool) -> usize {
    let (first, second) = (first.as_chunks::<8>().0, second.as_chunks::<8>().0);
    let words = first.iter().zip(second).map(|(one, other)| (u64::from_le_bytes(*one), u64::from_le_bytes(*other)));
    8 * words.take_while(|(one, other)| lower(*one) == lower(*other) && (single || one & (EACH * 0x80) == 0)).count()
}

/// One in each byte of a word.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The word with its ASCII letters in lower case: the top bit of a byte is set in `from_a` and not in `after_z` if its
/// lower bits are those of a capital letter.
fn lower(word: u64) -> u64 {
    let low = word & (EACH * 0x7f);
    let (from_a, after_z) = (low + EACH * (0x80 - b'A' as u64), low + EACH * (0x7f - b'Z' as u64));
    let capitals = !word & (from_a ^ after_z) & (EACH * 0x80);
    word | capitals >> 2
}

/// The length of the common prefix in bytes, in whole UTF-8 characters.
fn same_characters(first: &[u8], second: &[u8]) -> usize {
    const STEP: usize = 64;
    let steps = first.chunks_exact(STEP).zip(second.chunks_exact(STEP)).take_while(|(one, other)| one == other).count();
    let rest = first[steps * STEP..].iter().zip(&second[steps * STEP..]).take_while(|(one, other)| one == other);
    let mut at = steps * STEP + rest.count();
    let is_tail = |text: &[u8], at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    while at > 0 && (is_tail(first, at) || is_tail(second, at)) {
        at -= 1;
    }
    at
}

/// The ASCII character that starts `bytes`, in lower case.
fn ascii(encoding: EncodingId, bytes: &[u8]) -> Option<u8> {
    match bytes.first() {
        Some(byte) if encoding.is_ascii_compatible() => byte.is_ascii().then(|| byte.to_ascii_lowercase()),
        _ => match codepoint(encoding, bytes) {
            Some((code @ 0..=0x7F, _)) => Some((code as u8).to_ascii_lowercase()),
            _ => None,
        },
    }
}

/// `String#casecmp?` of two compatible strings, each with its own encoding and code range: equality after case folding.
pub fn casecmp_p(
    first: (EncodingId, &[u8], CodeRange),
    second: (EncodingId, &[u8], CodeRange),
) -> Result<bool, CaseError> {
    if first.2 == CodeRange::SevenBit && second.2 == CodeRange::SevenBit {
        return Ok(first.1.eq_ignore_ascii_case(second.1));
    }
    let options = CaseOptions { fold: true, ..CaseOptions::default() };
    let fold = |(encoding, bytes, range): (EncodingId, &[u8], CodeRange)| {
        map_case(encoding, bytes, range, CaseMapping::Down, options)
    };
    Ok(fold(first)? == fold(second)?)
}
