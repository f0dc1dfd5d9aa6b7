//! Padded text, bit strings and hex strings.

use super::{Count, PackError};
use memory::Grow;

/// Appends `count` times `byte`, as `x` and `@` do with zeros.
pub fn pack_fill(byte: u8, count: usize, out: &mut Vec<u8>) -> Result<(), PackError> {
    out.try_reserve(count).map_err(|_| PackError::NoMemory)?;
    out.set_length(out.len() + count, byte);
    Ok(())
}

/// Appends text under `a`, `A` or `Z`.
pub fn pack_text(letter: u8, text: &[u8], count: Count, out: &mut Vec<u8>) -> Result<(), PackError> {
    let len = match count {
        Count::None => 1,
        Count::Number(len) => len,
        Count::Star => text.len(),
    };
    let text_used = &text[..len.min(text.len())];
    memory::reserve(out, text_used.len());
    out.append_slice(text_used);
    let padding = if letter == b'A' { b' ' } else { 0 };
    pack_fill(padding, len.saturating_sub(text.len()), out)?;
    if letter == b'Z' && count == Count::Star {
        out.append_one(0);
    }
    Ok(())
}

/// The number of bytes used of the text, and the number of zero bytes for padding.
fn split(count: Count, len: usize, per_byte: usize) -> (usize, usize) {
    match count {
        Count::Star => (len, 0),
        Count::None => (len.min(1), (1 - len.min(1)).div_ceil(2)),
        Count::Number(wanted) if wanted <= len => (wanted, 0),
        Count::Number(wanted) if per_byte == 8 => (len, (wanted - len).div_ceil(2)),
        Count::Number(wanted) => (len, wanted.div_ceil(2) - len.div_ceil(2)),
    }
}

/// Appends bits, each taken from the lowest bit of a character of `text`.
pub fn pack_bits(text: &[u8], count: Count, high_first: bool, out: &mut Vec<u8>) -> Result<(), PackError> {
    let (used, zeros) = split(count, text.len(), 8);
    memory::reserve(out, used.div_ceil(8));
    for chars in text[..used].chunks(8) {
        out.append_one(chars.iter().enumerate().fold(0, |byte, (at, char)| {
            let bit = char & 1;
            byte | if high_first { bit << (7 - at) } else { bit << at }
        }));
    }
    pack_fill(0, zeros, out)
}

/// Appends nibbles, each given by a character of `text`; any letter counts as a digit.
pub fn pack_hex(text: &[u8], count: Count, high_first: bool, out: &mut Vec<u8>) -> Result<(), PackError> {
    let (used, zeros) = split(count, text.len(), 2);
    memory::reserve(out, used.div_ceil(2));
    let nibble = |char: u8| if char.is_ascii_alphabetic() { ((char & 15) + 9) & 15 } else { char & 15 };
    for chars in text[..used].chunks(2) {
        let (first, second) = (nibble(chars[0]), chars.get(1).map_or(0, |&char| nibble(char)));
        out.append_one(if high_first { first << 4 | second } else { second << 4 | first });
    }
    pack_fill(0, zeros, out)
}

/// The first `count` bits as `0` and `1`.
pub fn unpack_bits(bytes: &[u8], count: usize, high_first: bool) -> Vec<u8> {
    let bytes = &bytes[..count.div_ceil(8)];
    let mut out = memory::zeros(bytes.len() * 8);
    for (&byte, places) in bytes.iter().zip(out.as_chunks_mut::<8>().0) {
        let byte = if high_first { byte.reverse_bits() } else { byte };
        *places = std::array::from_fn(|at| b'0' + (byte >> at & 1));
    }
    out.truncate(count);
    out
}

/// The first `count` nibbles as hex digits.
pub fn unpack_hex(bytes: &[u8], count: usize, high_first: bool) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let pair = |byte: u8| {
        let (high, low) = (DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]);
        if high_first { [high, low] } else { [low, high] }
    };
    let bytes = &bytes[..count.div_ceil(2)];
    let mut out = memory::zeros(bytes.len() * 2);
    for (&byte, place) in bytes.iter().zip(out.as_chunks_mut::<2>().0) {
        *place = pair(byte);
    }
    out.truncate(count);
    out
}
