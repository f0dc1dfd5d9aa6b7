//! The input that a transcoder accepts as one character, which is stricter or looser than the rule for strings.

use crate::encoding::{CharLen, EncodingId, Family, char_len};

/// The start of some input, as a transcoder classifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A character of this many bytes, mapped or not.
    Complete(usize),
    /// An incomplete character.
    NeedMore,
    /// Not a character; the last of these bytes makes it invalid.
    Spoilt(usize),
}

/// Classifies the start of `input`, which is not empty and in a byte-oriented encoding.
pub(super) fn shape(encoding: EncodingId, input: &[u8]) -> Shape {
    for len in 1..=input.len() {
        match prefix(encoding, &input[..len]) {
            Shape::NeedMore => {}
            found => return found,
        }
    }
    Shape::NeedMore
}

/// Classifies a prefix whose shorter prefixes are all incomplete.
pub(super) fn prefix(encoding: EncodingId, bytes: &[u8]) -> Shape {
    let (first, len) = (bytes[0], bytes.len());
    let spoilt = Shape::Spoilt(len);
    if let Some(trails) = double_byte(encoding, first) {
        return match (trails, bytes) {
            (_, [_]) => Shape::NeedMore,
            (allowed, [_, second]) if allowed(*second) => Shape::Complete(2),
            _ => spoilt,
        };
    }
    let by_string = match char_len(encoding, bytes) {
        CharLen::Valid(found) if found == len => Shape::Complete(len),
        CharLen::NeedMore(_) => Shape::NeedMore,
        _ => spoilt,
    };
    match (encoding, first) {
        (EncodingId::CP949, 0x80) => spoilt,
        (EncodingId::CP51932, 0x8F) => spoilt,
        // Shifts and escapes belong to the surrounding encoding.
        (EncodingId::STATELESS_ISO_2022_JP, 0x0E | 0x0F | 0x1B) => spoilt,
        (EncodingId::STATELESS_ISO_2022_JP, 0x80..=0x8F | 0x91 | 0x93..) => spoilt,
        (EncodingId::STATELESS_ISO_2022_JP, 0x90 | 0x92) => match bytes {
            [_] => Shape::NeedMore,
            [_, 0xA1..=0xFE] => Shape::NeedMore,
            [_, _, 0xA1..=0xFE] => Shape::Complete(3),
            _ => spoilt,
        },
        (EncodingId::STATELESS_ISO_2022_JP_KDDI, 0x80..=0x91 | 0x93..) => spoilt,
        (EncodingId::STATELESS_ISO_2022_JP_KDDI, 0x92) => match bytes {
            [_] => Shape::NeedMore,
            [_, 0x93..=0x97 | 0xA1..=0xA8 | 0xAD | 0xB0..=0xFC] => Shape::NeedMore,
            [_, 0xA1..=0xFE, 0xA1..=0xFE] => Shape::Complete(3),
            _ => spoilt,
        },
        _ if encoding.is_single_byte() && encoding != EncodingId::US_ASCII => Shape::Complete(1),
        _ => by_string,
    }
}

/// The valid second bytes for the lead bytes whose rule differs from that of strings.
fn double_byte(encoding: EncodingId, first: u8) -> Option<fn(u8) -> bool> {
    match (encoding.family(), first) {
        (Family::Big5, 0x81..=0xFE) => Some(|byte| matches!(byte, 0x40..=0x7E | 0xA1..=0xFE)),
        _ => None,
    }
}
