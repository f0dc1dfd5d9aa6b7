//! The tables of the single-byte encodings, recorded from CRuby 4.1dev.
//!
//! `tables/single_byte.txt` has a line for each: its name, a tab, and the characters of bytes 0x80 to 0xFF (of IBM037,
//! which is EBCDIC, all 256). U+FFFD marks bytes without a character, U+E000+n represents the control character n.

use std::sync::LazyLock;

use crate::encoding::{self, EncodingId};

/// The characters of one encoding, in both directions.
struct Table {
    /// By byte; U+FFFD for none.
    chars: [char; 256],
    /// Sorted by character, without ASCII where it maps to itself.
    bytes: Vec<(char, u8)>,
}

static TABLES: LazyLock<Vec<Option<Table>>> = LazyLock::new(|| {
    let mut tables: Vec<Option<Table>> = (0..EncodingId::COUNT).map(|_| None).collect();
    for line in include_str!("tables/single_byte.txt").lines() {
        if let Some((name, chars)) = line.split_once('\t')
            && let Some(encoding) = encoding::find(name.as_bytes())
        {
            tables[usize::from(encoding.index())] = Some(Table::new(chars));
        }
    }
    tables
});

const NONE: char = char::REPLACEMENT_CHARACTER;

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
        let mut bytes: Vec<(char, u8)> = chars[first..]
            .iter()
            .zip(first..256)
            .filter(|(char, _)| **char != NONE)
            .map(|(char, byte)| (*char, byte as u8))
            .collect();
        bytes.sort_unstable();
        bytes.dedup_by_key(|(char, _)| *char);
        Table { chars, bytes }
    }
}

fn table(encoding: EncodingId) -> Option<&'static Table> {
    TABLES.get(usize::from(encoding.index()))?.as_ref()
}

/// Whether Ruby has a table for the encoding.
pub(crate) fn has_table(encoding: EncodingId) -> bool {
    table(encoding).is_some()
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
    let at = table.bytes.binary_search_by_key(&char, |(char, _)| *char).ok()?;
    Some(table.bytes[at].1)
}
