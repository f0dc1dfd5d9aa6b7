//! The keys of objects that were read before, so that each is made once and most are recognized without a scan.

use object::{hash::KeyHash, string::Str, symbol};
use runtime::{Cx, Value};

/// Keys, indexed by a function of their bytes. Objects of a list have the same keys in the same order: the key that
/// followed the last one before is expected again.
pub struct KnownKeys {
    /// Undef for unused entries.
    pub keys: [Value; KNOWN_KEYS],
    pub hashes: [KeyHash; KNOWN_KEYS],
    /// Where a key without escapes is in the text: its start and its length including the quote behind it; zero for
    /// others.
    pub spans: [(u32, u32); KNOWN_KEYS],
    /// The key that came after each key.
    pub followers: [u8; KNOWN_KEYS],
    pub last: u8,
}

/// The number of remembered keys, a power of two.
const KNOWN_KEYS: usize = 64;
/// Longer keys are not remembered.
const KNOWN_LENGTH: usize = 56;

impl KnownKeys {
    pub fn new() -> KnownKeys {
        KnownKeys {
            keys: [Value::UNDEF; KNOWN_KEYS],
            hashes: [KeyHash::default(); KNOWN_KEYS],
            spans: [(0, 0); KNOWN_KEYS],
            followers: [0; KNOWN_KEYS],
            last: 0,
        }
    }

    /// The expected key if it begins at `at`, behind a quote; and the end of its closing quote.
    #[inline(always)]
    pub fn expected(&mut self, text: &[u8], at: usize) -> Option<((Value, Option<KeyHash>), usize)> {
        let known = self.followers[usize::from(self.last) % KNOWN_KEYS];
        let place = usize::from(known) % KNOWN_KEYS;
        let (start, length) = self.spans[place];
        if length == 0 || !is_repeated(text, start as usize, at, length as usize) {
            return None;
        }
        self.last = known;
        Some(((self.keys[place], Some(self.hashes[place])), at + length as usize))
    }

    /// Whether the key at an index has these bytes.
    #[inline(always)]
    pub fn has(&self, cx: &Cx, place: usize, bytes: &[u8]) -> bool {
        let key = self.keys[place];
        if key.is_undef() {
            return false;
        }
        match symbol::Sym::from_value(key) {
            Some(symbol) => symbol.bytes(cx) == bytes,
            None => Str::from_value(key).is_some_and(|key| key.bytes(cx) == bytes),
        }
    }
}

/// The index of a key.
#[inline(always)]
pub fn place_of(bytes: &[u8]) -> Option<usize> {
    let (first, last) = (*bytes.first()?, *bytes.last()?);
    let middle = bytes[bytes.len() / 2];
    let mixed = usize::from(first) ^ usize::from(last) << 1 ^ usize::from(middle) << 2 ^ bytes.len() << 3;
    (bytes.len() <= KNOWN_LENGTH).then_some((mixed ^ mixed >> 6) % KNOWN_KEYS)
}

/// Whether the bytes at `at` equal those at an earlier position, compared in words: the pieces are short.
#[inline(always)]
fn is_repeated(text: &[u8], earlier: usize, at: usize, length: usize) -> bool {
    let (mut i, word) = (0, |from: usize| text.get(from..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word)));
    while i < length {
        let (Some(one), Some(other)) = (word(earlier + i), word(at + i)) else {
            return text.get(earlier + i..earlier + length) == text.get(at + i..at + length);
        };
        let rest = length - i;
        let mask = if rest < 8 { !(u64::MAX << (rest * 8)) } else { u64::MAX };
        if (one ^ other) & mask != 0 {
            return false;
        }
        i += 8;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_bytes_up_to_the_end_of_the_text() {
        for length in 0..40 {
            let piece: Vec<u8> = (0..length).collect();
            for room in 0..10 {
                let mut text = piece.clone();
                text.extend(&piece);
                text.resize(text.len() + room, b'.');
                assert!(is_repeated(&text, 0, piece.len(), piece.len()));
                for changed in 0..piece.len() {
                    text[piece.len() + changed] ^= 0x80;
                    assert!(!is_repeated(&text, 0, piece.len(), piece.len()));
                    text[piece.len() + changed] ^= 0x80;
                }
            }
        }
        assert!(!is_repeated(b"abcdefgh\"abc", 0, 9, 9));
    }
}
