//! The code range of a string: ASCII only, valid, or broken.

use crate::encoding::{CharLen, EncodingId, Family, char_len};

/// The result of a scan; a string keeps it until its bytes change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum CodeRange {
    /// Not scanned yet.
    #[default]
    Unknown = 0,
    /// ASCII only, in an ASCII compatible encoding: every character is a byte below 0x80.
    SevenBit = 1,
    /// Every character is whole and valid.
    Valid = 2,
    /// Some byte belongs to no valid character.
    Broken = 3,
}

impl CodeRange {
    /// The range with that number in an object's header.
    #[inline]
    pub const fn from_bits(bits: u8) -> CodeRange {
        match bits & 3 {
            0 => CodeRange::Unknown,
            1 => CodeRange::SevenBit,
            2 => CodeRange::Valid,
            _ => CodeRange::Broken,
        }
    }

    /// Whether every character is valid.
    #[inline]
    pub const fn is_valid(self) -> bool {
        matches!(self, CodeRange::SevenBit | CodeRange::Valid)
    }

    /// The range of the concatenation of two strings of one encoding; `Unknown` if it needs a scan (broken ends may
    /// combine).
    #[inline]
    pub const fn concat(self, other: CodeRange) -> CodeRange {
        use CodeRange::*;
        match (self, other) {
            (SevenBit, other) => other,
            (Valid, SevenBit | Valid) => Valid,
            // The first ends with a complete character, so the second is decoded as if it were alone.
            (Valid, Broken) => Broken,
            (Valid, Unknown) | (Unknown | Broken, _) => Unknown,
        }
    }

    /// Like `concat`, but also uses properties of the encoding.
    #[inline]
    pub fn concat_in(self, other: CodeRange, encoding: EncodingId) -> CodeRange {
        match (self, encoding.family()) {
            (CodeRange::Valid, Family::Single) => CodeRange::Valid,
            (CodeRange::Broken, Family::Ascii) => CodeRange::Broken,
            // No valid character starts with bytes that could complete a broken one.
            (CodeRange::Broken, Family::Utf8) if other.is_valid() => CodeRange::Broken,
            _ => self.concat(other),
        }
    }
}

/// Scans a string; never `Unknown`. Empty strings are `SevenBit` in ASCII compatible encodings, else `Valid`.
pub fn code_range(encoding: EncodingId, bytes: &[u8]) -> CodeRange {
    let family = encoding.family();
    if encoding.is_ascii_compatible() && bytes.is_ascii() {
        return CodeRange::SevenBit;
    }
    let valid = match family {
        Family::Single => true,
        Family::Ascii => false,
        Family::Utf8 => std::str::from_utf8(bytes).is_ok(),
        _ => all_valid(encoding, bytes),
    };
    if valid { CodeRange::Valid } else { CodeRange::Broken }
}

fn all_valid(encoding: EncodingId, bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        match char_len(encoding, rest) {
            CharLen::Valid(len) => rest = &rest[len..],
            _ => return false,
        }
    }
    true
}
