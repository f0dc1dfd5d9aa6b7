//! casecmp and casecmp?.

use std::cmp::Ordering;

use super::{CaseError, CaseMapping, CaseOptions, map_case};
use crate::encoding::{EncodingId, char_len_or_min, codepoint};
use crate::scan::CodeRange;

/// `String#casecmp` of two strings that are compatible in `encoding`: ASCII letters without regard to case, all else by
/// bytes.
pub fn casecmp(encoding: EncodingId, first: &[u8], second: &[u8]) -> Ordering {
    let (mut first, mut second) = (first, second);
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

/// The ASCII character that starts `bytes`, lowered.
fn ascii(encoding: EncodingId, bytes: &[u8]) -> Option<u8> {
    match bytes.first() {
        Some(byte) if encoding.is_ascii_compatible() => byte.is_ascii().then(|| byte.to_ascii_lowercase()),
        _ => match codepoint(encoding, bytes) {
            Some((code @ 0..=0x7F, _)) => Some((code as u8).to_ascii_lowercase()),
            _ => None,
        },
    }
}

/// `String#casecmp?` of two strings that are compatible, each with its own encoding and code range: equal once folded.
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
