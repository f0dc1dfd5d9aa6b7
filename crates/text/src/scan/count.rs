//! Counting characters and turning character positions into byte positions.

use std::ops::Range;

use crate::encoding::{EncodingId, char_len_or_min};
use crate::scan::CodeRange;

/// The cheapest correct way to count characters.
enum Width {
    /// Every character has this many bytes (the last may be truncated).
    Fixed(usize),
    /// Valid UTF-8: a character starts at every byte that is no continuation byte.
    Utf8,
    /// The string must be walked.
    Varying,
}

fn width(encoding: EncodingId, range: CodeRange) -> Width {
    if range == CodeRange::SevenBit || encoding.is_single_byte() {
        Width::Fixed(1)
    } else if encoding.min_char_len() == encoding.max_char_len() {
        Width::Fixed(encoding.min_char_len())
    } else if range == CodeRange::Valid && encoding.is_utf8() {
        Width::Utf8
    } else {
        Width::Varying
    }
}

/// How often a byte occurs.
pub fn count_byte(byte: u8, bytes: &[u8]) -> usize {
    memchr::memchr_iter(byte, bytes).count()
}

/// `String#length`. A wrong `range` gives a wrong count, `Unknown` a correct one.
pub fn char_count(encoding: EncodingId, bytes: &[u8], range: CodeRange) -> usize {
    match width(encoding, range) {
        Width::Fixed(size) => bytes.len().div_ceil(size),
        Width::Utf8 => count_utf8(bytes),
        Width::Varying => {
            let (mut rest, mut count) = (bytes, 0);
            while !rest.is_empty() {
                // Runs of ASCII are common in broken or unscanned UTF-8.
                let ascii = ascii_prefix(encoding, rest);
                count += ascii;
                rest = &rest[ascii..];
                if !rest.is_empty() {
                    rest = &rest[char_len_or_min(encoding, rest)..];
                    count += 1;
                }
            }
            count
        }
    }
}

/// The byte offset at which character `index` starts; the length for the index after the last; `None` beyond.
pub fn byte_offset(encoding: EncodingId, bytes: &[u8], range: CodeRange, index: usize) -> Option<usize> {
    let (offset, missing) = advance(encoding, bytes, range, index);
    (missing == 0).then_some(offset)
}

/// The bytes of at most `count` characters from character `start` on; `None` if `start` is beyond the end.
pub fn substring(
    encoding: EncodingId,
    bytes: &[u8],
    range: CodeRange,
    start: usize,
    count: usize,
) -> Option<Range<usize>> {
    let from = byte_offset(encoding, bytes, range, start)?;
    let (len, _) = advance(encoding, &bytes[from..], range, count);
    Some(from..from + len)
}

/// The index of the character at byte `offset`: the number of characters that start before it.
pub fn char_index(encoding: EncodingId, bytes: &[u8], range: CodeRange, offset: usize) -> usize {
    char_count(encoding, &bytes[..offset.min(bytes.len())], range)
}

/// The bytes that `count` characters occupy, and how many of the characters are missing.
fn advance(encoding: EncodingId, bytes: &[u8], range: CodeRange, count: usize) -> (usize, usize) {
    match width(encoding, range) {
        Width::Fixed(size) => {
            let available = bytes.len().div_ceil(size);
            if count > available { (bytes.len(), count - available) } else { ((count * size).min(bytes.len()), 0) }
        }
        Width::Utf8 => advance_utf8(bytes, count),
        Width::Varying => {
            let (mut at, mut left) = (0, count);
            while left > 0 && at < bytes.len() {
                let ascii = ascii_prefix(encoding, &bytes[at..at + left.min(bytes.len() - at)]);
                at += ascii;
                left -= ascii;
                if left > 0 && at < bytes.len() {
                    at += char_len_or_min(encoding, &bytes[at..]);
                    left -= 1;
                }
            }
            (at, left)
        }
    }
}

fn ascii_prefix(encoding: EncodingId, bytes: &[u8]) -> usize {
    if encoding.is_ascii_compatible() {
        bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len())
    } else {
        0
    }
}

#[inline]
fn is_char_start(byte: u8) -> bool {
    (byte as i8) >= -0x40
}

/// Counts in blocks whose sums fit a byte, so that the compiler vectorises the sum.
fn count_utf8(bytes: &[u8]) -> usize {
    let mut count = 0;
    let mut blocks = bytes.chunks_exact(192);
    for block in &mut blocks {
        count += usize::from(block.iter().map(|&byte| u8::from(is_char_start(byte))).sum::<u8>());
    }
    count + usize::from(blocks.remainder().iter().map(|&byte| u8::from(is_char_start(byte))).sum::<u8>())
}

fn advance_utf8(bytes: &[u8], count: usize) -> (usize, usize) {
    const BLOCK: usize = 64;
    let (mut at, mut left) = (0, count);
    // Skips whole blocks while more characters are wanted than the block has.
    while let Some(block) = bytes.get(at..at + BLOCK) {
        let starts = usize::from(block.iter().map(|&byte| u8::from(is_char_start(byte))).sum::<u8>());
        if starts > left {
            break;
        }
        at += BLOCK;
        left -= starts;
    }
    // `left` more characters start from here; the one that `at` splits is counted already.
    for (offset, &byte) in bytes[at..].iter().enumerate() {
        if is_char_start(byte) {
            if left == 0 {
                return (at + offset, 0);
            }
            left -= 1;
        }
    }
    (bytes.len(), left)
}
