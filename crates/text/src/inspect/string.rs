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
    bytes
        .iter()
        .position(|byte| !matches!(byte, 0x20..=0x7E) || matches!(byte, b'"' | b'#' | b'\\'))
        .unwrap_or(bytes.len())
}

/// Whether the character needs a backslash: quotes, backslashes, and `#` if it would start an interpolation.
fn needs_backslash(encoding: EncodingId, code: u32, rest: &[u8]) -> bool {
    match code {
        0x22 | 0x5C => true,
        0x23 => matches!(codepoint(encoding, rest), Some((0x24 | 0x40 | 0x7B, _))),
        _ => false,
    }
}
