//! Conversion between bytes and code points.

use super::char_len::{CharLen, char_len};
use super::id::EncodingId;
use super::table::Family;
use memory::Grow;

/// Why a number is not a character of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodepointError {
    /// RangeError "invalid codepoint 0x%X in %s".
    Invalid,
    /// RangeError "%u out of char range".
    OutOfRange,
}

/// The code point and length of the character that starts `bytes`; `None` unless it is complete and valid. In encodings
/// outside Unicode the code point is the bytes as a big-endian number.
#[inline]
pub fn codepoint(encoding: EncodingId, bytes: &[u8]) -> Option<(u32, usize)> {
    if encoding.is_utf8() {
        // Characters of up to three bytes whose second byte is any continuation byte.
        let tail = |byte: u8| (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F));
        match *bytes {
            [first @ ..0x80, ..] => return Some((first.into(), 1)),
            [first @ 0xC2..=0xDF, second, ..] => return Some((u32::from(first & 0x1F) << 6 | tail(second)?, 2)),
            [first @ (0xE1..=0xEC | 0xEE..=0xEF), second, third, ..] => {
                return Some((u32::from(first & 0x0F) << 12 | tail(second)? << 6 | tail(third)?, 3));
            }
            _ => {}
        }
    }
    match char_len(encoding, bytes) {
        CharLen::Valid(len) => Some((decode(encoding.family(), &bytes[..len]), len)),
        _ => None,
    }
}

/// The code point of one complete, valid character.
fn decode(family: Family, char: &[u8]) -> u32 {
    let byte = |at: usize| u32::from(char[at]);
    let unit = |high: usize, low: usize| byte(high) << 8 | byte(low);
    let pair = |high: u32, low: u32| 0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF);
    match (family, char.len()) {
        (Family::Utf8 | Family::Cesu8, 1..=4) => decode_utf8(char),
        (Family::Cesu8, _) => pair(decode_utf8(&char[..3]), decode_utf8(&char[3..])),
        (Family::Utf16Be, 2) => unit(0, 1),
        (Family::Utf16Be, _) => pair(unit(0, 1), unit(2, 3)),
        (Family::Utf16Le, 2) => unit(1, 0),
        (Family::Utf16Le, _) => pair(unit(1, 0), unit(3, 2)),
        (Family::Utf32Le, _) => unit(3, 2) << 16 | unit(1, 0),
        _ => char.iter().fold(0, |code, &byte| code << 8 | u32::from(byte)),
    }
}

fn decode_utf8(char: &[u8]) -> u32 {
    let lead = match char.len() {
        1 => 0x7F,
        2 => 0x1F,
        3 => 0x0F,
        _ => 0x07,
    };
    char[1..].iter().fold(u32::from(char[0]) & lead, |code, &byte| code << 6 | u32::from(byte) & 0x3F)
}

/// The number of bytes of the character with that code point.
pub fn codepoint_len(encoding: EncodingId, code: u32) -> Result<usize, CodepointError> {
    encode(encoding, code).map(|(_, len)| len)
}

/// Appends the character with that code point, as `Integer#chr` and `String#<<` do; on an error `out` is unchanged.
pub fn encode_codepoint(encoding: EncodingId, code: u32, out: &mut Vec<u8>) -> Result<(), CodepointError> {
    let (buffer, len) = encode(encoding, code)?;
    out.append_slice(&buffer[..len]);
    Ok(())
}

fn encode(encoding: EncodingId, code: u32) -> Result<([u8; 6], usize), CodepointError> {
    let mut buffer = [0; 6];
    let family = encoding.family();
    let len = match family {
        Family::Single | Family::Ascii => {
            let byte = u8::try_from(code).map_err(|_| CodepointError::Invalid)?;
            buffer[0] = byte;
            1
        }
        Family::Utf8 => put_utf8(code, &mut buffer)?,
        Family::Cesu8 if code <= 0xFFFF => put_utf8_unit(code, &mut buffer),
        Family::Cesu8 => {
            let (high, low) = surrogates(code)?;
            put_utf8_unit(high, &mut buffer[..3]);
            put_utf8_unit(low, &mut buffer[3..]);
            6
        }
        Family::Utf16Be | Family::Utf16Le => put_utf16(family, code, &mut buffer)?,
        Family::Utf32Be => put(&code.to_be_bytes(), &mut buffer),
        Family::Utf32Le => put(&code.to_le_bytes(), &mut buffer),
        _ => put_legacy(family, code, &mut buffer)?,
    };
    match char_len(encoding, &buffer[..len]) {
        CharLen::Valid(found) if found == len => Ok((buffer, len)),
        _ => Err(CodepointError::Invalid),
    }
}

fn put(bytes: &[u8], buffer: &mut [u8]) -> usize {
    buffer[..bytes.len()].copy_from_slice(bytes);
    bytes.len()
}

fn put_utf8(code: u32, buffer: &mut [u8]) -> Result<usize, CodepointError> {
    match code {
        0..=0xFFFF => Ok(put_utf8_unit(code, buffer)),
        0x10000..=0x10FFFF => {
            buffer[0] = 0xF0 | (code >> 18) as u8;
            put_continuations(code, &mut buffer[1..4]);
            Ok(4)
        }
        // Ruby's regular expressions use these numbers for broken bytes.
        0xFFFF_FFFE.. => Err(CodepointError::Invalid),
        _ => Err(CodepointError::OutOfRange),
    }
}

/// The UTF-8 form of a number below 0x10000, surrogates included.
fn put_utf8_unit(code: u32, buffer: &mut [u8]) -> usize {
    let (len, lead) = match code {
        0..=0x7F => (1, 0),
        0x80..=0x7FF => (2, 0xC0),
        _ => (3, 0xE0),
    };
    buffer[0] = lead | (code >> (6 * (len - 1))) as u8;
    put_continuations(code, &mut buffer[1..len]);
    len
}

fn put_continuations(code: u32, buffer: &mut [u8]) {
    let count = buffer.len();
    for (at, byte) in buffer.iter_mut().enumerate() {
        *byte = 0x80 | (code >> (6 * (count - 1 - at))) as u8 & 0x3F;
    }
}

fn surrogates(code: u32) -> Result<(u32, u32), CodepointError> {
    match code {
        0x10000..=0x10FFFF => {}
        0xFFFF_FFFE.. => return Err(CodepointError::Invalid),
        _ => return Err(CodepointError::OutOfRange),
    }
    let rest = code - 0x10000;
    Ok((0xD800 | rest >> 10, 0xDC00 | rest & 0x3FF))
}

fn put_utf16(family: Family, code: u32, buffer: &mut [u8]) -> Result<usize, CodepointError> {
    let put_unit = |unit: u32, buffer: &mut [u8]| match family {
        Family::Utf16Be => put(&(unit as u16).to_be_bytes(), buffer),
        _ => put(&(unit as u16).to_le_bytes(), buffer),
    };
    if code <= 0xFFFF {
        return Ok(put_unit(code, buffer));
    }
    let (high, low) = surrogates(code).map_err(|_| CodepointError::Invalid)?;
    put_unit(high, buffer);
    Ok(2 + put_unit(low, &mut buffer[2..]))
}

fn put_legacy(family: Family, code: u32, buffer: &mut [u8]) -> Result<usize, CodepointError> {
    let bytes = code.to_be_bytes();
    let skip = (code.leading_zeros() as usize / 8).min(3);
    let len = 4 - skip;
    if len > family.max_len() {
        return Err(CodepointError::OutOfRange);
    }
    if len == 1 && matches!(family, Family::EucJp | Family::ShiftJis | Family::EmacsMule) {
        // The number alone determines the length; a lead byte by itself is not a character.
        if char_len_of(family, bytes[3]) {
            return Err(CodepointError::Invalid);
        }
    }
    Ok(put(&bytes[skip..], buffer))
}

fn char_len_of(family: Family, byte: u8) -> bool {
    !matches!(super::legacy::char_len(family, byte, &[byte]), CharLen::Valid(1))
}
