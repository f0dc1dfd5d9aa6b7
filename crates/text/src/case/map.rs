//! upcase, downcase, swapcase and capitalize.

use super::CaseOptions;
use super::unicode::{Mapped, lower, swap, title, upper};
use crate::encoding::{EncodingId, codepoint, encode_codepoint};
use crate::scan::{CodeRange, chars};
use crate::transcode::{decode_byte, encode_byte};
use memory::Grow;

/// The case to map to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CaseMapping {
    Up,
    Down,
    Swap,
    Capitalize,
}

/// ArgumentError "input string invalid": a broken character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseError;

/// The string in another case; the caller compares it with `bytes` to see whether anything changed.
pub fn map_case(
    encoding: EncodingId,
    bytes: &[u8],
    range: CodeRange,
    mapping: CaseMapping,
    options: CaseOptions,
) -> Result<Vec<u8>, CaseError> {
    let plain = encoding == EncodingId::BINARY || range == CodeRange::SevenBit;
    // Ruby's swapcase visits each character even if only ASCII is to change.
    let skips = encoding == EncodingId::UTF_8 && mapping != CaseMapping::Swap;
    let ascii = options.ascii && (skips || encoding.is_single_byte());
    if ascii || plain && !options.turkic {
        return Ok(map_ascii_bytes(bytes, mapping));
    }
    if encoding == EncodingId::UTF_8
        && !options.turkic
        && !options.ascii
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Ok(map_text(text, mapping, options));
    }
    if encoding.is_unicode() {
        return map_unicode(encoding, bytes, mapping, options);
    }
    if has_letters(encoding) && !options.ascii {
        return Ok(map_single_bytes(encoding, bytes, mapping, options));
    }
    map_ascii_chars(encoding, bytes, mapping)
}

/// An upper bound for the bytes of a mapped character.
const LONGEST: usize = 32;

fn map_ascii_byte(byte: u8, mapping: CaseMapping, first: bool) -> u8 {
    match mapping {
        CaseMapping::Up => byte.to_ascii_uppercase(),
        CaseMapping::Down => byte.to_ascii_lowercase(),
        CaseMapping::Swap if byte.is_ascii_alphabetic() => byte ^ 0x20,
        CaseMapping::Swap => byte,
        CaseMapping::Capitalize if first => byte.to_ascii_uppercase(),
        CaseMapping::Capitalize => byte.to_ascii_lowercase(),
    }
}

fn map_ascii_bytes(bytes: &[u8], mapping: CaseMapping) -> Vec<u8> {
    let mut out = memory::copy(bytes);
    map_ascii(&mut out, mapping);
    out
}

/// Changes ASCII letters to another case. By words: the compiler makes a slow loop over bytes if the recorded profile
/// of a release build says that texts are short.
pub fn map_ascii(bytes: &mut [u8], mapping: CaseMapping) {
    let (words, rest) = bytes.as_chunks_mut();
    for bytes in words {
        let word = u64::from_le_bytes(*bytes);
        *bytes = (word ^ changed_bits(word, mapping) >> 2).to_le_bytes();
    }
    for byte in rest {
        *byte = map_ascii_byte(*byte, mapping, false);
    }
    if mapping == CaseMapping::Capitalize
        && let Some(first) = bytes.first_mut()
    {
        first.make_ascii_uppercase();
    }
}

/// Whether [`map_ascii`] changes any of these bytes.
pub fn changes_ascii(bytes: &[u8], mapping: CaseMapping) -> bool {
    let (bytes, first_changes) = match (mapping, bytes) {
        (CaseMapping::Capitalize, [first, rest @ ..]) => (rest, first.is_ascii_lowercase()),
        _ => (bytes, false),
    };
    let (words, rest) = bytes.as_chunks();
    first_changes
        || words.iter().any(|bytes| changed_bits(u64::from_le_bytes(*bytes), mapping) != 0)
        || rest.iter().any(|byte| map_ascii_byte(*byte, mapping, false) != *byte)
}

/// The highest bit of each byte of the word that is a letter of which the case changes, if it is not the first one.
#[inline(always)]
fn changed_bits(word: u64, mapping: CaseMapping) -> u64 {
    match mapping {
        CaseMapping::Up => bytes_between(word, b'a', b'z'),
        CaseMapping::Down | CaseMapping::Capitalize => bytes_between(word, b'A', b'Z'),
        CaseMapping::Swap => bytes_between(word | (EACH * 0x20), b'a', b'z'),
    }
}

/// One in each byte.
const EACH: u64 = u64::MAX / 0xff;

/// The highest bit of each byte of the word from `first` to `last`, which are ASCII.
#[inline(always)]
fn bytes_between(word: u64, first: u8, last: u8) -> u64 {
    const HIGHEST: u64 = EACH * 0x80;
    let low = word & !HIGHEST;
    let from_first = low + EACH * u64::from(0x80 - first);
    let beyond_last = low + EACH * u64::from(0x7f - last);
    from_first & !beyond_last & !word & HIGHEST
}

/// Changes only single-byte characters: the second byte of a longer character may look like a letter.
fn map_ascii_chars(encoding: EncodingId, bytes: &[u8], mapping: CaseMapping) -> Result<Vec<u8>, CaseError> {
    let mut out = memory::with_capacity(bytes.len());
    for (at, char) in chars(encoding, bytes).enumerate() {
        memory::reserve(&mut out, char.len());
        match char {
            [byte] if byte.is_ascii() => out.append_one(map_ascii_byte(*byte, mapping, at == 0)),
            [byte] if encoding.is_single_byte() => out.append_one(*byte),
            _ if codepoint(encoding, char).is_none() => return Err(CaseError),
            _ => out.append_slice(char),
        }
    }
    Ok(out)
}

fn map_char(char: char, mapping: CaseMapping, first: bool, options: CaseOptions) -> Mapped {
    match mapping {
        CaseMapping::Up => upper(char, options),
        CaseMapping::Down => lower(char, options),
        CaseMapping::Swap => swap(char, options),
        CaseMapping::Capitalize if first => title(char, options),
        CaseMapping::Capitalize => lower(char, options),
    }
}

/// Characters that are mapped before the result is appended to.
const SOME: usize = 64;

/// The most bytes of a mapped character: of three characters.
const LONGEST_CHAR: usize = 12;

/// The mapped text, for valid UTF-8.
fn map_text(text: &str, mapping: CaseMapping, options: CaseOptions) -> Vec<u8> {
    let mut out = memory::with_capacity(text.len() + LONGEST);
    let (mut chars, mut is_first) = (text.chars(), true);
    let mut room = [0; SOME * LONGEST_CHAR];
    while !chars.as_str().is_empty() {
        let mut len = 0;
        for char in chars.by_ref().take(SOME) {
            if char.is_ascii() {
                room[len] = map_ascii_byte(char as u8, mapping, is_first);
                len += 1;
            } else if let Some(mapped) = map_simple(char, mapping, is_first) {
                len += mapped.encode_utf8(&mut room[len..]).len();
            } else {
                let (mapped, count) = map_char(char, mapping, is_first, options);
                for char in &mapped[..count] {
                    len += char.encode_utf8(&mut room[len..]).len();
                }
            }
            is_first = false;
        }
        out.append_slice(&room[..len]);
    }
    out
}

/// What most characters beyond ASCII become, those without case among them.
#[inline(always)]
fn map_simple(char: char, mapping: CaseMapping, first: bool) -> Option<char> {
    let (is_upper, other) = match char {
        'à'..='ö' | 'ø'..='þ' | 'α'..='ρ' | 'σ'..='ϋ' | 'а'..='я' => (false, char as u32 - 32),
        'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => (true, char as u32 + 32),
        'ѐ'..='џ' => (false, char as u32 - 80),
        'Ѐ'..='Џ' => (true, char as u32 + 80),
        // From the hiragana to the last ideograph.
        '\u{3040}'..='\u{9fff}' => return Some(char),
        _ => return None,
    };
    let changes = match mapping {
        CaseMapping::Up => !is_upper,
        CaseMapping::Down => is_upper,
        CaseMapping::Swap => true,
        CaseMapping::Capitalize => is_upper != first,
    };
    if changes { char::from_u32(other) } else { Some(char) }
}

fn map_unicode(
    encoding: EncodingId,
    bytes: &[u8],
    mapping: CaseMapping,
    options: CaseOptions,
) -> Result<Vec<u8>, CaseError> {
    let mut out = memory::with_capacity(bytes.len() + LONGEST);
    let (mut rest, mut first) = (bytes, true);
    let utf_8 = encoding == EncodingId::UTF_8;
    while let Some(&byte) = rest.first() {
        memory::reserve(&mut out, LONGEST);
        if utf_8 && !options.turkic {
            if byte.is_ascii() {
                out.append_one(map_ascii_byte(byte, mapping, first));
                (rest, first) = (&rest[1..], false);
                continue;
            }
            // Skips most caseless characters: from the hiragana to the last ideograph.
            if let [0xE3..=0xE9, second, third, tail @ ..] = rest
                && (byte, *second) >= (0xE3, 0x81)
                && second & 0xC0 == 0x80
                && third & 0xC0 == 0x80
            {
                out.append_slice(&[byte, *second, *third]);
                (rest, first) = (tail, false);
                continue;
            }
        }
        let (code, len) = codepoint(encoding, rest).ok_or(CaseError)?;
        let (source, tail) = rest.split_at(len);
        rest = tail;
        match char::from_u32(code) {
            Some(char) if char.is_ascii() || !options.ascii => {
                let (mapped, count) = map_char(char, mapping, first, options);
                if utf_8 {
                    for char in &mapped[..count] {
                        out.append_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                    first = false;
                    continue;
                }
                for char in &mapped[..count] {
                    // Every Unicode encoding can encode every Unicode character.
                    let _ = encode_codepoint(encoding, u32::from(*char), &mut out);
                }
            }
            _ => out.append_slice(source),
        }
        first = false;
    }
    Ok(out)
}

/// Whether this is a single-byte encoding whose letters beyond ASCII have case in Ruby.
fn has_letters(encoding: EncodingId) -> bool {
    matches!(
        encoding,
        EncodingId::ISO_8859_1
            | EncodingId::ISO_8859_2
            | EncodingId::ISO_8859_3
            | EncodingId::ISO_8859_4
            | EncodingId::ISO_8859_5
            | EncodingId::ISO_8859_7
            | EncodingId::ISO_8859_9
            | EncodingId::ISO_8859_10
            | EncodingId::ISO_8859_13
            | EncodingId::ISO_8859_14
            | EncodingId::ISO_8859_15
            | EncodingId::ISO_8859_16
            | EncodingId::WINDOWS_1250
            | EncodingId::WINDOWS_1251
            | EncodingId::WINDOWS_1252
            | EncodingId::WINDOWS_1253
            | EncodingId::WINDOWS_1254
            | EncodingId::WINDOWS_1257
    )
}

/// Maps through Unicode; a character that the encoding lacks stays as it is.
fn map_single_bytes(encoding: EncodingId, bytes: &[u8], mapping: CaseMapping, options: CaseOptions) -> Vec<u8> {
    let mut out = memory::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        memory::reserve(&mut out, LONGEST);
        let mapped = decode_byte(encoding, byte).and_then(|char| {
            let (mapped, count) = map_char(char, mapping, at == 0, options);
            // The dot of İ is part of the letter here.
            let count = if char == 'İ' { 1 } else { count };
            mapped[..count].iter().map(|&char| encode_byte(encoding, char)).collect::<Option<Vec<u8>>>()
        });
        match mapped {
            Some(mapped) => out.append_from(mapped),
            None => out.append_one(map_ascii_byte(byte, mapping, at == 0)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simple_mapping_is_the_full_one() {
        for mapping in [CaseMapping::Up, CaseMapping::Down, CaseMapping::Swap, CaseMapping::Capitalize] {
            for (first, fold) in [(true, false), (false, false), (true, true), (false, true)] {
                let options = CaseOptions { fold: fold && mapping == CaseMapping::Down, ..CaseOptions::default() };
                for char in '\0'..=char::MAX {
                    if let Some(simple) = map_simple(char, mapping, first) {
                        let (full, count) = map_char(char, mapping, first, options);
                        assert_eq!(full[..count], [simple], "{mapping:?} {char}");
                    }
                }
            }
        }
    }
}
