//! The escapes shared by all functions that print text as source code.

use memory::Grow;
use std::io::Write;

use crate::encoding::{EncodingId, codepoint, is_printable};

/// The letter after the backslash for the control characters that have one.
pub(super) fn control_letter(code: u32) -> Option<u8> {
    Some(match code {
        0x07 => b'a',
        0x08 => b'b',
        0x09 => b't',
        0x0A => b'n',
        0x0B => b'v',
        0x0C => b'f',
        0x0D => b'r',
        0x1B => b'e',
        _ => return None,
    })
}

/// Appends `\xNN`.
pub(super) fn push_byte_escape(byte: u8, out: &mut Vec<u8>) {
    push_format(out, format_args!("\\x{byte:02X}"));
}

/// Appends the numeric escape of a code point: `\uNNNN` or `\u{N…}`; outside Unicode `\xNN` or `\x{N…}`.
pub(super) fn push_code_escape(encoding: EncodingId, code: u32, out: &mut Vec<u8>) {
    if encoding.is_unicode() {
        match code {
            0x20..=0x7E => out.append_one(code as u8),
            0..=0xFFFF => push_format(out, format_args!("\\u{code:04X}")),
            _ => push_format(out, format_args!("\\u{{{code:X}}}")),
        }
    } else if code < 0x100 {
        push_format(out, format_args!("\\x{code:02X}"));
    } else {
        push_format(out, format_args!("\\x{{{code:X}}}"));
    }
}

fn push_format(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to a vector does not fail.
    let _ = out.write_fmt(text);
}

/// What `bytes` starts with: a code point and its length, or the length of a broken character.
pub(super) enum Piece {
    Char(u32, usize),
    Broken(usize),
}

pub(super) fn piece(encoding: EncodingId, bytes: &[u8]) -> Piece {
    match codepoint(encoding, bytes) {
        Some((code, len)) => Piece::Char(code, len),
        None => Piece::Broken(encoding.min_char_len().min(bytes.len())),
    }
}

/// Whether text can appear in messages of encoding `result` unescaped: printable, and ASCII or of the same encoding.
pub fn is_shown_as_is(encoding: EncodingId, bytes: &[u8], result: EncodingId) -> bool {
    if encoding != result && !(encoding.is_ascii_compatible() && bytes.is_ascii()) {
        return false;
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        match piece(encoding, rest) {
            Piece::Char(code, len) if is_printable(encoding, code) => rest = &rest[len..],
            _ => return false,
        }
    }
    true
}

/// Appends text in ASCII, with everything but printable ASCII escaped: the form of names in messages if
/// [`is_shown_as_is`] is false.
pub fn escape_unprintable(encoding: EncodingId, bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let len = match piece(encoding, rest) {
            Piece::Broken(len) => {
                rest[..len].iter().for_each(|&byte| push_byte_escape(byte, out));
                len
            }
            Piece::Char(code, len) => {
                match (control_letter(code), code) {
                    (Some(letter), _) => out.append_from([b'\\', letter]),
                    (None, 0) => out.append_slice(b"\\0"),
                    (None, 0x7F) => out.append_slice(b"\\c?"),
                    (None, 0x20..=0x7E) if encoding.is_ascii_compatible() => out.append_one(code as u8),
                    _ => push_code_escape(encoding, code, out),
                }
                len
            }
        };
        rest = &rest[len..];
    }
}
