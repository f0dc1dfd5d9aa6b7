//! The interpretation of the bytes: encoding, code range, comparison, hash.

use std::cmp::Ordering;

use text::encoding::{Family, Operand, OperandKind};
use text::{CodeRange, EncodingId};

use super::layout::{CODE_RANGE, ENCODING, Str};
use crate::{Mem, cell};

impl Str {
    #[inline(always)]
    pub fn encoding(self) -> EncodingId {
        let index = cell::header(self.value()).field(ENCODING, 7) as u8;
        EncodingId::from_index(index).unwrap_or(EncodingId::BINARY)
    }

    /// Sets only the encoding, as `force_encoding` does; the code range becomes unknown if it may differ.
    pub fn set_encoding(self, encoding: EncodingId) {
        if encoding == self.encoding() {
            return;
        }
        let range = match self.known_code_range() {
            CodeRange::SevenBit if encoding.is_ascii_compatible() => CodeRange::SevenBit,
            // There are non-ASCII bytes, and all bytes are characters now.
            CodeRange::Valid if encoding.family() == Family::Single && self.encoding().is_ascii_compatible() => {
                CodeRange::Valid
            }
            _ => CodeRange::Unknown,
        };
        let header = cell::header(self.value()).with_field(ENCODING, 7, encoding.index() as u32);
        cell::set_header(self.value(), header);
        self.set_code_range(range);
    }

    /// The code range if it is known without a scan.
    #[inline(always)]
    pub fn known_code_range(self) -> CodeRange {
        CodeRange::from_bits(cell::header(self.value()).field(CODE_RANGE, 2) as u8)
    }

    #[inline(always)]
    pub fn set_code_range(self, range: CodeRange) {
        let header = cell::header(self.value());
        cell::set_header(self.value(), header.with_field(CODE_RANGE, 2, range as u32));
    }

    /// The code range; scans the bytes once and caches the result.
    #[inline]
    pub fn code_range(self) -> CodeRange {
        match self.known_code_range() {
            CodeRange::Unknown => self.scan(),
            known => known,
        }
    }

    #[cold]
    fn scan(self) -> CodeRange {
        let range = self.with(|bytes| text::scan::code_range(self.encoding(), bytes));
        self.set_code_range(range);
        range
    }

    /// Whether it has only ASCII characters, in an ASCII-compatible encoding.
    #[inline]
    pub fn is_ascii(self) -> bool {
        self.code_range() == CodeRange::SevenBit
    }

    /// The data that determine whether this String is compatible with another.
    pub fn operand(self) -> Operand {
        let kind = if self.is_empty() { OperandKind::EmptyString } else { OperandKind::String(self.code_range()) };
        Operand { encoding: self.encoding(), kind }
    }

    /// The encoding in which both can be concatenated, if there is one.
    #[inline]
    pub fn compatible(self, other: Str) -> Option<EncodingId> {
        let encoding = self.encoding();
        if encoding == other.encoding() {
            return Some(encoding);
        }
        // ASCII is compatible with all ASCII-compatible encodings: this String's contents do not matter.
        if encoding.is_ascii_compatible() && other.is_ascii() {
            return Some(encoding);
        }
        text::encoding::compatible(self.operand(), other.operand())
    }

    /// Whether equal bytes of both represent the same characters.
    #[inline]
    pub fn comparable(self, other: Str) -> bool {
        let encoding = |string: Str| cell::header(string.value()).field(ENCODING, 7);
        encoding(self) == encoding(other) || self.comparable_of_two_encodings(other)
    }

    fn comparable_of_two_encodings(self, other: Str) -> bool {
        let (a, b) = (self.encoding(), other.encoding());
        if self.is_empty() && other.is_empty() {
            return true;
        }
        match (self.is_ascii(), other.is_ascii()) {
            (true, true) => true,
            (false, true) => a.is_ascii_compatible(),
            (true, false) => b.is_ascii_compatible(),
            (false, false) => false,
        }
    }

    /// `eql?`: equal bytes that represent the same characters.
    #[inline]
    pub fn equal(self, other: Str) -> bool {
        // Copies that share their bytes are not compared.
        let shares = self.span() == other.span();
        (shares || self.same_bytes(other)) && (self.value() == other.value() || self.comparable(other))
    }

    /// `<=>` of two Strings: by bytes; if these are equal but not comparable, by the encodings' numbers.
    pub fn compare(self, other: Str) -> Ordering {
        let order = self.with(|own| other.with(|bytes| own.cmp(bytes)));
        if order == Ordering::Equal && !self.comparable(other) {
            return self.encoding().index().cmp(&other.encoding().index());
        }
        order
    }

    /// The hash value, which is the same for Strings that are `equal`.
    #[inline]
    pub fn hash(self, cx: &Mem) -> u64 {
        let hash = hash_bytes(cx, self.bytes(cx));
        // Comparable Strings of different encodings are ASCII or empty.
        if self.is_ascii() || self.is_empty() {
            return hash;
        }
        let encoding = cell::header(self.value()).field(ENCODING, 7);
        hash.wrapping_mul(u64::from(encoding) * 2 + 3)
    }
}

/// The seeded hash of bytes: attackers may control them, so a keyed hash function is used.
#[inline]
pub fn hash_bytes(cx: &Mem, bytes: &[u8]) -> u64 {
    cx.world().seed_of_bytes.hash(bytes)
}
