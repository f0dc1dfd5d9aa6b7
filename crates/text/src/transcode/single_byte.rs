//! The tables of the single-byte encodings, recorded from CRuby 4.1dev.
//!
//! `tables/single_byte.txt` has a line for each: its name, a tab, and the characters of bytes 0x80 to 0xFF (of IBM037,
//! which is EBCDIC, all 256). U+FFFD marks bytes without a character, U+E000+n represents the control character n.

use std::sync::{LazyLock, OnceLock};

use super::char_map::CharMap;
use crate::encoding::{self, EncodingId};

/// The characters of one encoding, in both directions.
struct Table {
    /// By byte; U+FFFD for none.
    chars: [char; 256],
    /// Bytes by character, without ASCII where it maps to itself.
    codes: CharMap,
}

/// The texts of the tables that exist, by encoding.
static TEXTS: LazyLock<[Option<&str>; EncodingId::COUNT]> = LazyLock::new(|| {
    let mut texts = [None; EncodingId::COUNT];
    for line in include_str!("tables/single_byte.txt").lines() {
        if let Some((name, chars)) = line.split_once('\t')
            && let Some(encoding) = encoding::find(name.as_bytes())
        {
            texts[usize::from(encoding.index())] = Some(chars);
        }
    }
    texts
});

/// No character.
pub(super) const NONE: char = char::REPLACEMENT_CHARACTER;

impl Table {
    fn new(text: &str) -> Table {
        let mut chars: [char; 256] = std::array::from_fn(|byte| char::from(byte as u8));
        let first = 256usize.saturating_sub(text.chars().count());
        for (slot, char) in chars[first..].iter_mut().zip(text.chars()) {
            *slot = match char {
                '\u{E000}'..='\u{E09F}' => char::from((char as u32 - 0xE000) as u8),
                _ => char,
            };
        }
        let bytes = chars[first..].iter().zip(first as u32..256).filter(|(char, _)| **char != NONE);
        // Of several bytes for a character the first counts.
        let codes = bytes.rev().map(|(char, byte)| (*char, byte)).collect();
        Table { chars, codes }
    }
}

fn table(encoding: EncodingId) -> Option<&'static Table> {
    static TABLES: [OnceLock<Box<Table>>; EncodingId::COUNT] = [const { OnceLock::new() }; EncodingId::COUNT];
    let text = text(encoding)?;
    Some(TABLES.get(usize::from(encoding.index()))?.get_or_init(|| Box::new(Table::new(text))))
}

fn text(encoding: EncodingId) -> Option<&'static str> {
    *TEXTS.get(usize::from(encoding.index()))?
}

/// Whether Ruby has a table for the encoding.
pub(crate) fn has_table(encoding: EncodingId) -> bool {
    text(encoding).is_some()
}

/// The character of a byte.
pub(crate) fn decode_byte(encoding: EncodingId, byte: u8) -> Option<char> {
    let table = table(encoding)?;
    Some(table.chars[usize::from(byte)]).filter(|&char| char != NONE)
}

/// The byte of a character.
pub(crate) fn encode_byte(encoding: EncodingId, char: char) -> Option<u8> {
    let table = table(encoding)?;
    if char.is_ascii() && table.chars[char as usize] == char {
        return Some(char as u8);
    }
    table.codes.get(char).map(|byte| byte as u8)
}

/// The characters of all bytes.
pub(super) fn chars(encoding: EncodingId) -> Option<&'static [char; 256]> {
    Some(&table(encoding)?.chars)
}

/// The bytes of characters beyond ASCII.
pub(super) fn codes(encoding: EncodingId) -> Option<&'static CharMap> {
    Some(&table(encoding)?.codes)
}
