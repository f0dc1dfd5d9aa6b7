//! Sources of regular expressions: Regexp.escape, and how Regexp#inspect and #to_s show them.

use super::escape::{Piece, piece, push_byte_escape, push_code_escape};
use crate::encoding::{CharLen, EncodingId, char_len, char_len_or_min, encode_codepoint, is_printable, is_space};
use crate::scan::{chars, code_range};
use memory::Grow;

/// Appends `Regexp.escape`. The result is US-ASCII if the text is ASCII only, otherwise in the text's encoding.
pub fn regexp_escape(encoding: EncodingId, bytes: &[u8], out: &mut Vec<u8>) {
    if encoding.is_utf8() || encoding.is_single_byte() {
        // No byte of a multi-byte character looks like ASCII.
        return escape_bytes(bytes, out);
    }
    for char in chars(encoding, bytes) {
        let letter = match ascii(encoding, char) {
            Some(b'\t') => b't',
            Some(b'\n') => b'n',
            Some(0x0B) => b'v',
            Some(0x0C) => b'f',
            Some(b'\r') => b'r',
            Some(byte) if b"[]{}()|-*.\\?+^$ #".contains(&byte) => byte,
            _ => {
                out.append_slice(char);
                continue;
            }
        };
        for code in [b'\\', letter] {
            // ASCII exists in every encoding that has a code point for the character just read.
            let _ = encode_codepoint(encoding, u32::from(code), out);
        }
    }
}

fn escape_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    memory::reserve(out, bytes.len() + bytes.len() / 4);
    for &byte in bytes {
        memory::reserve(out, 2);
        match byte {
            b'\t' => out.append_slice(b"\\t"),
            b'\n' => out.append_slice(b"\\n"),
            0x0B => out.append_slice(b"\\v"),
            0x0C => out.append_slice(b"\\f"),
            b'\r' => out.append_slice(b"\\r"),
            b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'|' | b'-' | b'*' | b'.' | b'\\' | b'?' | b'+' | b'^' | b'$'
            | b' ' | b'#' => out.append_slice(&[b'\\', byte]),
            _ => out.append_one(byte),
        }
    }
}

/// Appends the source as `Regexp#inspect` shows it (with `result`, the encoding of the outcome) or as `Regexp#to_s`
/// does (without): the `terminator` gets a backslash, unprintable characters are escaped.
pub fn regexp_source(
    encoding: EncodingId,
    source: &[u8],
    result: Option<EncodingId>,
    terminator: u8,
    out: &mut Vec<u8>,
) {
    if is_plain(encoding, source, result, terminator) {
        out.append_slice(source);
        return;
    }
    let mut rest = source;
    while !rest.is_empty() {
        let mut len = char_len_or_min(encoding, rest);
        match ascii(encoding, rest) {
            Some(b'\\') if len < rest.len() => {
                len += char_len_or_min(encoding, &rest[len..]);
                out.append_slice(&rest[..len]);
            }
            Some(byte) if byte == terminator => {
                out.append_one(b'\\');
                out.append_slice(&rest[..len]);
            }
            Some(byte) => {
                let code = u32::from(byte);
                if is_printable(encoding, code) || is_space(encoding, code) {
                    out.append_slice(&rest[..len]);
                } else {
                    push_byte_escape(byte, out);
                }
            }
            // Ruby escapes all non-ASCII characters if anything needs an escape.
            None => match (piece(encoding, rest), result) {
                (Piece::Broken(_), _) => {
                    len = 1;
                    push_byte_escape(rest[0], out);
                }
                (Piece::Char(code, _), Some(_)) => push_code_escape(encoding, code, out),
                (Piece::Char(..), None) => out.append_slice(&rest[..len]),
            },
        }
        rest = &rest[len..];
    }
}

fn is_plain(encoding: EncodingId, source: &[u8], result: Option<EncodingId>, terminator: u8) -> bool {
    let is_shown = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != terminator;
    if !encoding.is_ascii_compatible() {
        return false;
    }
    if source.iter().all(is_shown) {
        return true;
    }
    code_range(encoding, source).is_valid()
        && chars(encoding, source).all(|char| match ascii(encoding, char) {
            Some(byte) => byte != terminator && is_printable(encoding, u32::from(byte)),
            None => result == Some(encoding),
        })
}

/// The ASCII character that starts `bytes`.
fn ascii(encoding: EncodingId, bytes: &[u8]) -> Option<u8> {
    if encoding.is_ascii_compatible() {
        return bytes.first().copied().filter(u8::is_ascii);
    }
    match (char_len(encoding, bytes), piece(encoding, bytes)) {
        (CharLen::Valid(_), Piece::Char(code @ 0..=0x7F, _)) => Some(code as u8),
        _ => None,
    }
}
