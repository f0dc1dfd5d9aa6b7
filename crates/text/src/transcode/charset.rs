//! Converting one character from any encoding to UTF-8, and from UTF-8 to any.

use super::double_byte::{self, code_bytes};
use super::single_byte;
use crate::encoding::{EncodingId, Family, encode_codepoint};
use memory::Grow;

/// Whether there is a direct, stateless conversion between the encoding and UTF-8.
pub(super) fn has_charset(encoding: EncodingId) -> bool {
    use EncodingId as E;
    let plain = matches!(encoding, E::BINARY | E::US_ASCII | E::CESU_8 | E::UTF_16BE | E::UTF_16LE)
        || matches!(encoding, E::UTF_32BE | E::UTF_32LE);
    let single = single_byte::has_table(encoding) && encoding != E::IBM037;
    let carrier = carrier_form(encoding).is_some();
    plain || single || double_byte::has_table(encoding) && !carrier
}

/// The variant of UTF-8 with the emoji of a Japanese carrier, through which the carrier's encoding is converted.
pub(super) fn carrier_form(encoding: EncodingId) -> Option<EncodingId> {
    use EncodingId as E;
    Some(match encoding {
        E::SJIS_DOCOMO => E::UTF8_DOCOMO,
        E::SJIS_KDDI | E::STATELESS_ISO_2022_JP_KDDI => E::UTF8_KDDI,
        E::SJIS_SOFTBANK => E::UTF8_SOFTBANK,
        _ => return None,
    })
}

/// Appends the UTF-8 form of one complete character; false if it maps to nothing.
pub(super) fn decode(encoding: EncodingId, char: &[u8], out: &mut Vec<u8>) -> bool {
    if let (Family::Utf16Be | Family::Utf16Le | Family::Utf32Be | Family::Utf32Le | Family::Cesu8, _) =
        (encoding.family(), 0)
    {
        let decoded = crate::encoding::codepoint(encoding, char);
        return match decoded.and_then(|(code, _)| char::from_u32(code)) {
            Some(char) => {
                out.append_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                true
            }
            None => false,
        };
    }
    if let [byte @ 0..=0x7F] = char {
        out.append_one(*byte);
        return true;
    }
    if single_byte::has_table(encoding) {
        return match single_byte::decode_byte(encoding, char[0]) {
            Some(char) => {
                out.append_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                true
            }
            None => false,
        };
    }
    let code = char.iter().fold(0, |code, &byte| code << 8 | u32::from(byte));
    if encoding == EncodingId::GB18030 && code >= 0x9030_8130 {
        return match gb18030_char(char) {
            Some(char) => {
                out.append_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                true
            }
            None => false,
        };
    }
    double_byte::table(encoding).is_some_and(|table| table.decode(code, out))
}

/// The character of a four-byte code beyond the Basic Multilingual Plane.
fn gb18030_char(bytes: &[u8]) -> Option<char> {
    let [first, second, third, fourth] = bytes else { return None };
    let digit = |byte: &u8, low: u8| u32::from(byte - low);
    let index = ((digit(first, 0x90) * 10 + digit(second, 0x30)) * 126 + digit(third, 0x81)) * 10 + digit(fourth, 0x30);
    char::from_u32(0x10000 + index)
}

/// Appends a character; false if the encoding lacks it.
pub(super) fn encode(encoding: EncodingId, char: char, out: &mut Vec<u8>) -> bool {
    if encoding.is_unicode() {
        return encode_codepoint(encoding, u32::from(char), out).is_ok();
    }
    if char.is_ascii() {
        out.append_one(char as u8);
        return true;
    }
    if single_byte::has_table(encoding) {
        let byte = single_byte::encode_byte(encoding, char);
        out.append_from(byte);
        return byte.is_some() || encoding == EncodingId::WINDOWS_1255 && encode_hebrew(char, out);
    }
    if encoding == EncodingId::GB18030 && char >= '\u{10000}' {
        let index = char as u32 - 0x10000;
        out.append_from([
            0x90 + (index / 12600) as u8,
            0x30 + (index / 1260 % 10) as u8,
            0x81 + (index / 10 % 126) as u8,
            0x30 + (index % 10) as u8,
        ]);
        return true;
    }
    match double_byte::table(encoding).and_then(|table| table.encode(char)) {
        Some(code) => {
            let (bytes, len) = code_bytes(code);
            out.append_slice(&bytes[4 - len..]);
            true
        }
        None => false,
    }
}

/// Appends a presentation form of a Hebrew letter, which Windows-1255 encodes as a letter with points; false for
/// others.
fn encode_hebrew(char: char, out: &mut Vec<u8>) -> bool {
    if !matches!(char, '\u{FB1D}' | '\u{FB1F}' | '\u{FB2A}'..='\u{FB4E}') {
        return false;
    }
    let start = out.len();
    let mut parts = Vec::new();
    unicode_normalization::char::decompose_canonical(char, |part| parts.append_one(part));
    for part in parts {
        match single_byte::encode_byte(EncodingId::WINDOWS_1255, part) {
            Some(byte) => out.append_one(byte),
            None => {
                out.truncate(start);
                return false;
            }
        }
    }
    true
}
