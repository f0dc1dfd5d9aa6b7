//! Text as JSON strings: pure functions of bytes.

use memory::Grow;

/// The characters to escape in addition to the required ones.
#[derive(Clone, Copy, Default)]
pub struct Escapes {
    /// All characters beyond ASCII.
    pub ascii_only: bool,
    /// `/`, U+2028 and U+2029, so that the text can be part of a `<script>`.
    pub script_safe: bool,
}

/// Appends valid UTF-8 in quotes.
pub fn push_quoted(out: &mut Vec<u8>, bytes: &[u8], escapes: Escapes) {
    memory::reserve(out, bytes.len() + 2);
    out.append_one(b'"');
    let mut from = 0;
    let mut at = 0;
    let is_strict = !escapes.ascii_only && !escapes.script_safe;
    while at < bytes.len() {
        // Eight bytes at a time, if only quotes, backslashes and control characters must be escaped.
        if is_strict && let Some(eight) = bytes[at..].first_chunk::<8>() {
            let special = special_bytes(u64::from_le_bytes(*eight));
            if special == 0 {
                at += 8;
                continue;
            }
            at += special.trailing_zeros() as usize / 8;
        }
        let byte = bytes[at];
        let plain = match byte {
            b'"' | b'\\' | 0..0x20 => false,
            b'/' => !escapes.script_safe,
            0x80.. => !(escapes.ascii_only || (escapes.script_safe && byte == 0xe2)),
            _ => true,
        };
        if plain {
            at += 1;
            continue;
        }
        out.append_slice(&bytes[from..at]);
        let length = push_escaped(out, &bytes[at..], escapes);
        at += length;
        from = at;
    }
    out.append_slice(&bytes[from..]);
    out.append_one(b'"');
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
fn push_escaped(out: &mut Vec<u8>, bytes: &[u8], escapes: Escapes) -> usize {
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
    out.append_slice(&[b'\\', short]);
    1
}

/// A character beyond ASCII.
fn push_wide(out: &mut Vec<u8>, bytes: &[u8], escapes: Escapes) -> usize {
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
        _ => out.append_slice(bytes),
    }
    bytes.len()
}

fn push_unit(out: &mut Vec<u8>, unit: u16) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.append_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.append_one(DIGITS[usize::from(unit >> shift) & 15]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str, ascii_only: bool, script_safe: bool) -> String {
        let mut out = Vec::new();
        push_quoted(&mut out, text.as_bytes(), Escapes { ascii_only, script_safe });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn escapes_what_must_be() {
        assert_eq!(quoted("a\"\\/\n\u{1}\u{7f}é", false, false), "\"a\\\"\\\\/\\n\\u0001\u{7f}é\"");
    }

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

    #[test]
    fn escapes_for_scripts_and_in_ascii() {
        assert_eq!(quoted("</é\u{2028}€", false, true), "\"<\\/é\\u2028€\"");
        assert_eq!(quoted("é😀/", true, false), "\"\\u00e9\\ud83d\\ude00/\"");
    }
}
