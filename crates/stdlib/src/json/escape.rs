//! Text as JSON strings: pure functions of bytes.

use super::output::Output;

/// The characters to escape in addition to the required ones.
#[derive(Clone, Copy, Default)]
pub struct Escapes {
    /// All characters beyond ASCII.
    pub ascii_only: bool,
    /// `/`, U+2028 and U+2029, so that the text can be part of a `<script>`.
    pub script_safe: bool,
}

/// A word whose lowest set bit is in the first of eight bytes that is a quote, a backslash or a control character; zero
/// if there is none. The bytes are in little-endian order.
#[inline(always)]
pub fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Borrows propagate only to higher bytes, so the lowest set bit is correct.
    let below_space = word.wrapping_sub(ONES * 0x20) & !word;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    (below_space | zero(word ^ (ONES * 0x22)) | zero(word ^ (ONES * 0x5c))) & HIGH
}

/// Appends the first character, escaped if necessary; returns its length.
pub fn push_escaped(out: &mut Output, bytes: &[u8], escapes: Escapes) -> usize {
    let short = match bytes[0] {
        b'"' => b'"',
        b'\\' => b'\\',
        b'/' => b'/',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x0c => b'f',
        0x08 => b'b',
        control @ 0..0x20 => {
            push_unit(out, control as u16);
            return 1;
        }
        _ => return push_wide(out, bytes, escapes),
    };
    out.word(&[b'\\', short]);
    1
}

/// A character beyond ASCII.
fn push_wide(out: &mut Output, bytes: &[u8], escapes: Escapes) -> usize {
    let length = match bytes[0] {
        0xf0.. => 4,
        0xe0.. => 3,
        _ => 2,
    };
    let bytes = &bytes[..length.min(bytes.len())];
    let character = std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next());
    match character {
        Some(c) if escapes.ascii_only || matches!(c, '\u{2028}' | '\u{2029}') => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                push_unit(out, *unit);
            }
        }
        _ => out.slice(bytes),
    }
    bytes.len()
}

fn push_unit(out: &mut Output, unit: u16) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.word(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.push(DIGITS[usize::from(unit >> shift) & 15]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_special_byte_of_eight() {
        for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for place in 0..8 {
                let mut eight = *b"abc \x7f\xc3\xa9~";
                eight[place] = special;
                eight[7] = if place < 7 { b'"' } else { special };
                assert_eq!(special_bytes(u64::from_le_bytes(eight)).trailing_zeros() / 8, place as u32);
            }
        }
        assert_eq!(special_bytes(u64::from_le_bytes(*b"ab! \xff\x80#[")), 0);
    }
}
