//! String#inspect.

use super::escape::{Piece, control_letter, piece, push_byte_escape, push_code_escape};
use crate::encoding::{EncodingId, codepoint, is_printable};
use memory::Grow;

/// An upper bound for the bytes of an escaped character and the closing quote.
const LONGEST_PIECE: usize = 64;

/// Appends `String#inspect`. `result` is the encoding of the outcome: the default internal encoding, otherwise the
/// default external one; US-ASCII if that is not ASCII compatible.
pub fn inspect(encoding: EncodingId, bytes: &[u8], result: EncodingId, out: &mut Vec<u8>) {
    let ascii = encoding.is_ascii_compatible();
    let quotes = ascii || encoding.is_unicode();
    memory::reserve(out, 1 + bytes.len() + LONGEST_PIECE);
    out.append_one(b'"');
    let mut rest = bytes;
    while !rest.is_empty() {
        let plain = if ascii { plain_prefix(rest) } else { 0 };
        memory::reserve(out, plain + LONGEST_PIECE);
        out.append_slice(&rest[..plain]);
        rest = &rest[plain..];
        if rest.is_empty() {
            break;
        }
        if encoding == result && ascii {
            let shown = shown_prefix(encoding, rest);
            if shown > 0 {
                out.append_slice(&rest[..shown]);
                rest = &rest[shown..];
                continue;
            }
        }
        let (code, len) = match piece(encoding, rest) {
            Piece::Char(code, len) => (code, len),
            Piece::Broken(len) => {
                rest[..len].iter().for_each(|&byte| push_byte_escape(byte, out));
                rest = &rest[len..];
                continue;
            }
        };
        let char = &rest[..len];
        rest = &rest[len..];
        if let Some(letter) = control_letter(code) {
            out.append_from([b'\\', letter]);
        } else if quotes && needs_backslash(encoding, code, rest) {
            out.append_from([b'\\', code as u8]);
        } else if encoding == result && is_printable(encoding, code) {
            out.append_slice(char);
        } else if ascii && matches!(code, 0x20..=0x7E) {
            out.append_one(code as u8);
        } else {
            push_code_escape(encoding, code, out);
        }
    }
    out.append_one(b'"');
}

/// The number of leading bytes that are printable ASCII and never escaped. A lead byte of a multi-byte character is
/// above ASCII in every encoding, so the run ends before it.
fn plain_prefix(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let special = special_bytes(u64::from_le_bytes(*eight));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_plain = |byte: &u8| matches!(byte, 0x20..=0x7E) && !matches!(byte, b'"' | b'#' | b'\\');
    at + bytes[at..].iter().position(|byte| !is_plain(byte)).unwrap_or(bytes.len() - at)
}

/// The number of leading bytes of printable characters beyond ASCII.
fn shown_prefix(encoding: EncodingId, bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some((code, len)) = codepoint(encoding, &bytes[at..])
        && code >= 0x80
        && is_printable(encoding, code)
    {
        at += len;
    }
    at
}

/// A word whose lowest set bit is in the first of eight bytes that is not printable ASCII or may need a backslash; zero
/// if there is none. The bytes are in little-endian order.
#[inline(always)]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Borrows propagate only to higher bytes, so the lowest set bit is correct.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let equal = |byte: u8| zero(word ^ (ONES * u64::from(byte)));
    let below_space = word.wrapping_sub(ONES * 0x20) & !word;
    (word | below_space | equal(0x7f) | equal(b'"') | equal(b'#') | equal(b'\\')) & HIGH
}

/// Whether the character needs a backslash: quotes, backslashes, and `#` if it would start an interpolation.
fn needs_backslash(encoding: EncodingId, code: u32, rest: &[u8]) -> bool {
    match code {
        0x22 | 0x5C => true,
        0x23 => matches!(codepoint(encoding, rest), Some((0x24 | 0x40 | 0x7B, _))),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_prefix_ends_at_the_first_special_byte() {
        for special in [0, 0x1f, b'"', b'#', b'\\', 0x7f, 0x80, 0xff] {
            for place in 0..20 {
                let mut bytes = *b" abc~!$[]xyz<>Z@`?-+";
                bytes[place] = special;
                bytes[19] = if place < 19 { b'"' } else { special };
                assert_eq!(plain_prefix(&bytes), place);
            }
        }
        assert_eq!(plain_prefix(b"nothing special in here"), 23);
    }
}
