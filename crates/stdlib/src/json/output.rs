//! The text that a generator writes: a buffer with room behind its end, where short pieces are stored without calls.

use memory::Grow;
use numeric::big::decimal::write_pairs;

use super::escape::{Escapes, push_escaped, special_bytes};

pub struct Output {
    /// The text, followed by unused bytes.
    bytes: Vec<u8>,
    length: usize,
}

/// The room that a whole word may use beyond the end of the text.
const SLACK: usize = 8;

impl Output {
    pub fn new() -> Output {
        Output { bytes: memory::zeros(256), length: 0 }
    }

    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Makes room for this many bytes; false if there is no memory for them.
    pub fn try_reserve(&mut self, more: usize) -> bool {
        let room = self.bytes.len() - self.length;
        room >= more || self.bytes.try_reserve(more - room).is_ok()
    }

    #[inline(always)]
    fn reserve(&mut self, more: usize) {
        if self.bytes.len() - self.length < more {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let needed = self.length.saturating_add(more);
        self.bytes.set_length(needed.max(self.bytes.len().saturating_mul(2)), 0);
    }

    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.reserve(1);
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// Appends a piece of known length.
    #[inline(always)]
    pub fn word<const N: usize>(&mut self, piece: &[u8; N]) {
        self.reserve(N);
        self.bytes[self.length..self.length + N].copy_from_slice(piece);
        self.length += N;
    }

    #[inline(always)]
    pub fn slice(&mut self, piece: &[u8]) {
        self.reserve(piece.len());
        self.bytes[self.length..self.length + piece.len()].copy_from_slice(piece);
        self.length += piece.len();
    }

    /// Appends a piece of the text once more.
    #[inline(always)]
    pub fn again(&mut self, start: usize, length: usize) {
        self.reserve(length + SLACK);
        if length > 4 * SLACK {
            self.bytes.copy_within(start..start + length, self.length);
        } else {
            let mut at = 0;
            while at < length {
                // What is behind the piece is copied as well, and written over later.
                self.bytes.copy_within(start + at..start + at + 8, self.length + at);
                at += 8;
            }
        }
        self.length += length;
    }

    pub fn repeat(&mut self, byte: u8, count: usize) {
        self.reserve(count);
        self.bytes[self.length..self.length + count].fill(byte);
        self.length += count;
    }

    /// Appends a number in decimal. The digits are written where they stay: copying them from a buffer would wait for
    /// the single stores into it.
    #[inline]
    pub fn integer(&mut self, number: i64) {
        const LONGEST: usize = 20;
        self.reserve(LONGEST);
        if number < 0 {
            self.bytes[self.length] = b'-';
            self.length += 1;
        }
        let magnitude = number.unsigned_abs();
        let count = magnitude.checked_ilog10().unwrap_or(0) as usize + 1;
        write_pairs(magnitude, &mut self.bytes[self.length..self.length + count]);
        self.length += count;
    }

    /// Appends valid UTF-8 in quotes.
    pub fn quoted(&mut self, bytes: &[u8], escapes: Escapes) {
        self.reserve(bytes.len() + 2 + SLACK);
        self.push(b'"');
        if escapes.ascii_only || escapes.script_safe {
            self.escaped(bytes, escapes);
        } else {
            self.escaped_by_words(bytes, escapes);
        }
        self.push(b'"');
    }

    /// Appends bytes of which only quotes, backslashes and control characters are escaped. Eight bytes at a time are
    /// copied and examined.
    #[inline(always)]
    fn escaped_by_words(&mut self, bytes: &[u8], escapes: Escapes) {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            if let Some(chunk) = rest.first_chunk::<16>()
                && is_plain(chunk)
            {
                self.word(chunk);
                at += 16;
                while let Some(chunk) = bytes[at..].first_chunk::<64>()
                    && is_plain(chunk)
                {
                    self.word(chunk);
                    at += 64;
                }
                continue;
            }
            let (word, count) = match rest.first_chunk::<8>() {
                Some(eight) => (u64::from_le_bytes(*eight), 8),
                None => (short_word(rest), rest.len()),
            };
            self.word(&word.to_le_bytes());
            self.length -= 8;
            // Bytes behind the end of the text are zero, which counts as special.
            let plain = (special_bytes(word).trailing_zeros() as usize / 8).min(count);
            self.length += plain;
            at += plain;
            if plain < count {
                let short = SHORT[usize::from(bytes[at])];
                if short != 0 {
                    self.word(&[b'\\', short]);
                    at += 1;
                    continue;
                }
                at += push_escaped(self, &bytes[at..], escapes);
            }
        }
    }

    fn escaped(&mut self, bytes: &[u8], escapes: Escapes) {
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            let plain = match byte {
                b'"' | b'\\' | 0..0x20 => false,
                b'/' => !escapes.script_safe,
                0x80.. => !(escapes.ascii_only || byte == 0xe2),
                _ => true,
            };
            if plain {
                self.push(byte);
                at += 1;
            } else {
                at += push_escaped(self, &bytes[at..], escapes);
            }
        }
    }
}

/// Whether none of the bytes is escaped; without branches, so that the compiler examines all of them at once.
#[inline(always)]
pub fn is_plain<const N: usize>(bytes: &[u8; N]) -> bool {
    bytes.iter().fold(true, |plain, byte| plain & (*byte >= 0x20) & (*byte != b'"') & (*byte != b'\\'))
}

/// The letters of the escapes of two bytes.
const SHORT: [u8; 256] = {
    let mut letters = [0; 256];
    letters[b'"' as usize] = b'"';
    letters[b'\\' as usize] = b'\\';
    letters[b'\n' as usize] = b'n';
    letters[b'\r' as usize] = b'r';
    letters[b'\t' as usize] = b't';
    letters
};

/// Fewer than eight bytes as the low bytes of a word.
#[inline(always)]
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
    }
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| u64::from(*byte) << (8 * at));
    byte(0) | byte(1) | byte(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str, ascii_only: bool, script_safe: bool) -> String {
        let mut out = Output::new();
        out.quoted(text.as_bytes(), Escapes { ascii_only, script_safe });
        String::from_utf8(out.text().to_vec()).unwrap()
    }

    #[test]
    fn escapes_special_characters() {
        assert_eq!(quoted("a\"\\/\n\u{1}\u{7f}é", false, false), "\"a\\\"\\\\/\\n\\u0001\u{7f}é\"");
    }

    #[test]
    fn texts_of_all_lengths_with_a_special_character_anywhere() {
        for length in 0..40 {
            let plain: String = ('a'..='z').cycle().take(length).collect();
            assert_eq!(quoted(&plain, false, false), format!("\"{plain}\""));
            for at in 0..length {
                let (before, behind) = (&plain[..at], &plain[at + 1..]);
                let special = format!("{before}\n{behind}");
                assert_eq!(quoted(&special, false, false), format!("\"{before}\\n{behind}\""));
            }
        }
        let controls = "\u{1}".repeat(1000);
        assert_eq!(quoted(&controls, false, false), format!("\"{}\"", "\\u0001".repeat(1000)));
    }

    #[test]
    fn integers_of_all_lengths() {
        let powers = (0..19).map(|power| 10_i64.pow(power));
        for number in powers.flat_map(|power| [power - 1, power, power + 1]).chain([i64::MAX, i64::MIN]) {
            let mut out = Output::new();
            out.integer(number);
            out.integer(number.wrapping_neg());
            assert_eq!(out.text(), format!("{number}{}", number.wrapping_neg()).as_bytes());
        }
    }

    #[test]
    fn pieces_again() {
        for length in 0..50 {
            let mut out = Output::new();
            let piece: Vec<u8> = (1..=length).collect();
            out.slice(b"ab");
            out.slice(&piece);
            out.again(2, piece.len());
            out.again(2, piece.len());
            assert_eq!(out.text(), [b"ab".as_slice(), &piece, &piece, &piece].concat());
        }
    }

    #[test]
    fn integers() {
        for number in [0, 7, 10, -10, 99, 100, 101, -4095, 12_345, 1_234_567, i64::MAX, i64::MIN] {
            let mut out = Output::new();
            out.integer(number);
            assert_eq!(out.text(), number.to_string().as_bytes());
        }
    }

    #[test]
    fn escapes_for_scripts_and_in_ascii() {
        assert_eq!(quoted("</é\u{2028}€", false, true), "\"<\\/é\\u2028€\"");
        assert_eq!(quoted("é😀/", true, false), "\"\\u00e9\\ud83d\\ude00/\"");
    }
}
