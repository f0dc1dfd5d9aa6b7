//! The large character sets of East Asia: the tables of `encoding_rs`, and the differences of Ruby's tables.
//!
//! `tables/double_byte.txt`, recorded from CRuby 4.1dev, has a section for each encoding. Codes are hexadecimal and
//! follow each other in the order of [`codes`]:
//!
//! * `CODE chars`: this code and those after it decode to these characters, U+FFFD for none;
//! * `!CODE n`: n codes from this one on decode to nothing;
//! * `^CODE n CHAR`: n codes decode to consecutive characters;
//! * `=CODE chars`: one code decodes to several characters;
//! * `<CODE chars`: these characters encode to this code and those after it;
//! * `-chars`: these do not encode.

use memory::Grow;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};

use super::char_map::CharMap;
use super::shape::{Shape, prefix};
use crate::encoding::EncodingId;

/// The characters of one encoding, in both directions.
pub(super) struct Table {
    /// By code, for codes of at most two bytes; 0 for none.
    short: Box<[u32]>,
    /// By code, for longer codes.
    long: HashMap<u32, char, BuildHasherDefault<ahash::AHasher>>,
    /// Codes that decode to several characters.
    several: HashMap<u32, String>,
    /// Codes by character.
    encode: CharMap,
}

/// The most similar table of `encoding_rs`.
fn base(encoding: EncodingId) -> Option<&'static Encoding> {
    Some(match encoding {
        EncodingId::EUC_JP
        | EncodingId::STATELESS_ISO_2022_JP_KDDI
        | EncodingId::EUCJP_MS
        | EncodingId::CP51932
        | EncodingId::EUC_JIS_2004 => EUC_JP,
        EncodingId::SHIFT_JIS
        | EncodingId::WINDOWS_31J
        | EncodingId::SJIS_DOCOMO
        | EncodingId::SJIS_KDDI
        | EncodingId::SJIS_SOFTBANK => SHIFT_JIS,
        EncodingId::CP949 | EncodingId::EUC_KR => EUC_KR,
        EncodingId::GBK | EncodingId::GB2312 | EncodingId::GB12345 | EncodingId::GB18030 => GB18030,
        EncodingId::BIG5 | EncodingId::BIG5_HKSCS | EncodingId::BIG5_UAO | EncodingId::CP950 | EncodingId::CP951 => {
            BIG5
        }
        _ => return None,
    })
}

/// Whether there is a table for the encoding.
pub(super) fn has_table(encoding: EncodingId) -> bool {
    base(encoding).is_some()
}

/// An upper bound for the bytes that a table takes while it is created.
const ROOM: usize = 8 << 20;

/// The table of an encoding, created on first use.
pub(super) fn table(encoding: EncodingId) -> Option<&'static Table> {
    // Not LazyLock, which would stay unusable after a failed allocation.
    static TABLES: [OnceLock<Option<Table>>; EncodingId::COUNT] = [const { OnceLock::new() }; EncodingId::COUNT];
    let create = || {
        let base = base(encoding)?;
        memory::expect(ROOM);
        Some(Table::new(encoding, base))
    };
    TABLES.get(usize::from(encoding.index()))?.get_or_init(create).as_ref()
}

impl Table {
    fn new(encoding: EncodingId, base: &'static Encoding) -> Table {
        let codes = codes(encoding);
        let mut table = Table {
            short: memory::filled(0, 0x10000).into_boxed_slice(),
            long: HashMap::default(),
            several: HashMap::new(),
            encode: CharMap::default(),
        };
        for &code in &codes {
            let (bytes, mut len) = code_bytes(code);
            // The lead byte of this encoding precedes the two bytes of the character in EUC-JP.
            len -= usize::from(encoding == EncodingId::STATELESS_ISO_2022_JP_KDDI);
            let decoded = base.decode_without_bom_handling_and_without_replacement(&bytes[4 - len..]);
            table.set_text(code, decoded.as_deref().unwrap_or(""));
        }
        let section = include_str!("tables/double_byte.txt")
            .split_once(&format!("[{}]\n", encoding.name()))
            .map_or("", |(_, rest)| rest.split_once('[').map_or(rest, |(section, _)| section));
        for line in section.lines() {
            table.apply(&codes, line);
        }
        table.fill_encode(&codes, section);
        table
    }

    fn set(&mut self, code: u32, char: Option<char>) {
        self.several.remove(&code);
        match self.short.get_mut(code as usize) {
            Some(slot) => *slot = char.map_or(0, u32::from),
            None => {
                self.long.remove(&code);
                self.long.extend(char.map(|char| (code, char)));
            }
        }
    }

    fn set_text(&mut self, code: u32, text: &str) {
        let mut chars = text.chars();
        let first = chars.next();
        self.set(code, first);
        if chars.next().is_some() {
            self.set(code, None);
            self.several.insert(code, text.to_owned());
        }
    }

    /// Applies a line about decoding.
    fn apply(&mut self, codes: &[u32], line: &str) {
        let mut words = line[1..].split(' ');
        let mut number = |radix| words.next().and_then(|word| u32::from_str_radix(word, radix).ok()).unwrap_or(0);
        match line.as_bytes()[0] {
            b'!' => {
                let (code, count) = (number(16), number(10));
                from(codes, code).take(count as usize).for_each(|code| self.set(code, None));
            }
            b'^' => {
                let (code, count, char) = (number(16), number(10), number(16));
                for (code, char) in from(codes, code).zip(char..char + count) {
                    self.set(code, char::from_u32(char));
                }
            }
            b'=' => {
                if let Some((_, text)) = line.split_once(' ') {
                    self.set_text(number(16), text);
                }
            }
            b'<' | b'-' => {}
            _ => {
                let (code, chars) = line.split_once(' ').unwrap_or((line, ""));
                let code = u32::from_str_radix(code, 16).unwrap_or(0);
                for (code, char) in from(codes, code).zip(chars.chars()) {
                    self.set(code, Some(char).filter(|char| *char != char::REPLACEMENT_CHARACTER));
                }
            }
        }
    }

    /// Characters encode to the first code that decodes to them, unless the section says otherwise.
    fn fill_encode(&mut self, codes: &[u32], section: &str) {
        let known = codes.iter().filter_map(|&code| Some((self.char(code)?, code)));
        let mut encode: Vec<(char, u32)> = memory::collect(known);
        encode.sort_by_key(|(char, _)| *char);
        encode.dedup_by_key(|(char, _)| *char);
        let mut changes = HashMap::new();
        for line in section.lines() {
            if let Some(chars) = line.strip_prefix('-') {
                changes.extend(chars.chars().map(|char| (char, None)));
            } else if let Some((code, chars)) = line.strip_prefix('<').and_then(|l| l.split_once(' ')) {
                let code = u32::from_str_radix(code, 16).unwrap_or(0);
                if code < 0x80 {
                    // All these characters encode to one ASCII character.
                    changes.extend(chars.chars().map(|char| (char, Some(code))));
                } else {
                    changes.extend(chars.chars().zip(from(codes, code).map(Some)));
                }
            }
        }
        let kept = encode.into_iter().filter(|(char, _)| !changes.contains_key(char));
        let changed = changes.iter().filter_map(|(char, code)| Some((*char, (*code)?)));
        self.encode = kept.chain(changed).collect();
    }

    fn char(&self, code: u32) -> Option<char> {
        match self.short.get(code as usize) {
            Some(&char) => char::from_u32(char).filter(|&char| char != '\0'),
            None => self.long.get(&code).copied(),
        }
    }

    /// Appends the UTF-8 form of a code above 0x7F; false if it maps to nothing.
    pub(super) fn decode(&self, code: u32, out: &mut Vec<u8>) -> bool {
        if let Some(char) = self.char(code) {
            out.append_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            return true;
        }
        match self.several.get(&code) {
            Some(text) => {
                out.append_slice(text.as_bytes());
                true
            }
            None => false,
        }
    }

    /// The code of a character above 0x7F.
    pub(super) fn encode(&self, char: char) -> Option<u32> {
        self.encode.get(char)
    }

    /// The codes by character.
    pub(super) fn codes(&self) -> &CharMap {
        &self.encode
    }

    /// The character of a code of one or two bytes; 0 for none, and for several.
    #[inline]
    pub(super) fn short(&self, code: u16) -> u32 {
        self.short[usize::from(code)]
    }
}

/// The codes from this one on.
fn from(codes: &[u32], code: u32) -> impl Iterator<Item = u32> {
    let start = codes.binary_search_by_key(&order(code), |&code| order(code));
    codes[start.unwrap_or(codes.len())..].iter().copied()
}

/// Shorter codes come first.
fn order(code: u32) -> (usize, u32) {
    (code_bytes(code).1, code)
}

/// The bytes of a code, right-aligned in four, and their number.
pub(super) fn code_bytes(code: u32) -> ([u8; 4], usize) {
    (code.to_be_bytes(), 4 - (code.leading_zeros() as usize / 8).min(3))
}

/// Every code above 0x7F that can be a character; of GB18030's four-byte codes those of the Basic Multilingual Plane.
fn codes(encoding: EncodingId) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut stack: Vec<u32> = (0x80..0x100).rev().collect();
    while let Some(code) = stack.pop() {
        let (bytes, len) = code_bytes(code);
        match prefix(encoding, &bytes[4 - len..]) {
            Shape::Complete(_) => codes.append_one(code),
            Shape::NeedMore if len == 2 && encoding == EncodingId::GB18030 && code > 0x8439 => {}
            Shape::NeedMore => {
                let last = if len == 3 && encoding == EncodingId::GB18030 { 0x30..0x3A } else { 0..0x100 };
                stack.extend(last.rev().map(|byte| code << 8 | byte));
            }
            Shape::Spoilt(_) => {}
        }
    }
    codes.sort_unstable_by_key(|&code| order(code));
    codes
}
