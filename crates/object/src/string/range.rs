//! Updates of the code range when a String changes, from its range and that of the added or removed bytes.
//!
//! Only these bytes are scanned and, when a String becomes shorter, those up to the next non-ASCII one: the cost of
//! repeated changes grows with the changes, not with the String.

use text::encoding::Family;
use text::{CodeRange, EncodingId};

use super::layout::Str;

impl Str {
    /// The range after appending `bytes`, whose range in this String's encoding is `range`.
    #[inline]
    pub(super) fn range_after_append(self, bytes: &[u8], range: CodeRange) -> CodeRange {
        if self.is_empty() { range } else { after_append(self.known_code_range(), self.encoding(), bytes, range) }
    }

    /// The range after replacing the `remove` bytes at `at` by `with`.
    pub(super) fn range_after_splice(self, at: usize, remove: usize, with: &[u8]) -> CodeRange {
        let (known, encoding) = (self.known_code_range(), self.encoding());
        if !known.is_valid() {
            return CodeRange::Unknown;
        }
        let range = if with.is_ascii() { CodeRange::SevenBit } else { text::scan::code_range(encoding, with) };
        match (known, range) {
            (CodeRange::SevenBit, CodeRange::SevenBit | CodeRange::Valid) => range,
            (CodeRange::Valid, CodeRange::SevenBit | CodeRange::Valid) => {
                let whole = self.starts_character(at) && self.starts_character(at + remove);
                let stays = range == CodeRange::Valid || self.with(|bytes| bytes[at..at + remove].is_ascii());
                if whole && stays { CodeRange::Valid } else { CodeRange::Unknown }
            }
            _ => CodeRange::Unknown,
        }
    }

    /// The range of the bytes from `at` on.
    #[inline]
    pub(super) fn range_from(self, at: usize) -> CodeRange {
        self.range_of_part(at, self.len(), |part| part.iter().any(|byte| !byte.is_ascii()))
    }

    /// The range of the bytes before `end`.
    #[inline]
    pub(super) fn range_before(self, end: usize) -> CodeRange {
        // The last non-ASCII byte is searched backwards from the end, where the next truncation will continue.
        self.range_of_part(0, end, |part| part.iter().rev().any(|byte| !byte.is_ascii()))
    }

    /// The range of the bytes from `at` to `end`.
    #[inline]
    pub(super) fn range_within(self, at: usize, end: usize) -> CodeRange {
        self.range_of_part(at, end, |part| !part.is_ascii())
    }

    #[inline]
    fn range_of_part(self, at: usize, end: usize, has_others: impl Fn(&[u8]) -> bool) -> CodeRange {
        match self.known_code_range() {
            CodeRange::SevenBit => CodeRange::SevenBit,
            CodeRange::Valid if self.starts_character(at) && self.starts_character(end) => {
                if self.with(|bytes| has_others(&bytes[at..end])) { CodeRange::Valid } else { CodeRange::SevenBit }
            }
            _ => CodeRange::Unknown,
        }
    }

    /// Whether no character of this valid String extends across `at`, as far as a single byte shows.
    fn starts_character(self, at: usize) -> bool {
        match self.encoding().family() {
            Family::Single => true,
            Family::Utf8 => self.byte(at).is_none_or(|byte| byte & 0xC0 != 0x80),
            _ => at == 0 || at == self.len(),
        }
    }
}

#[inline(never)]
fn combined(known: CodeRange, encoding: EncodingId, bytes: &[u8], range: CodeRange) -> CodeRange {
    let without_scan = known.concat_in(range, encoding);
    if range != CodeRange::Unknown || without_scan != CodeRange::Unknown {
        return without_scan;
    }
    known.concat_in(text::scan::code_range(encoding, bytes), encoding)
}

/// The range of a text of a known range and encoding after appending bytes of that range.
#[inline]
pub(super) fn after_append(known: CodeRange, encoding: EncodingId, bytes: &[u8], range: CodeRange) -> CodeRange {
    match (known, range) {
        (CodeRange::SevenBit, CodeRange::SevenBit) => CodeRange::SevenBit,
        (CodeRange::Unknown, _) => CodeRange::Unknown,
        (CodeRange::Valid, CodeRange::SevenBit | CodeRange::Valid) if encoding == EncodingId::UTF_8 => CodeRange::Valid,
        _ => combined(known, encoding, bytes, range),
    }
}
