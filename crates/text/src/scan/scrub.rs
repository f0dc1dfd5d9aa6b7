//! Finding and replacing the broken parts of a string.

use memory::Grow;
use std::ops::Range;

use crate::encoding::{CharLen, EncodingId, char_len};

/// The default replacement of `String#scrub`: U+FFFD in Unicode encodings, otherwise `?`.
pub fn default_replacement(encoding: EncodingId) -> &'static [u8] {
    use crate::encoding::Family;
    match encoding.family() {
        // Of the encodings with UTF-8's bytes, Ruby uses U+FFFD only for UTF-8 itself.
        Family::Utf8 if encoding == EncodingId::UTF_8 => b"\xEF\xBF\xBD",
        Family::Utf16Be => b"\xFF\xFD",
        Family::Utf16Le => b"\xFD\xFF",
        Family::Utf32Be => b"\x00\x00\xFF\xFD",
        Family::Utf32Le => b"\xFD\xFF\x00\x00",
        _ => b"?",
    }
}

/// `String#scrub` with a fixed replacement; `None` if nothing is broken.
pub fn scrub(encoding: EncodingId, bytes: &[u8], replacement: &[u8]) -> Option<Vec<u8>> {
    let mut parts = broken_parts(encoding, bytes).peekable();
    parts.peek()?;
    let mut out = memory::with_capacity(bytes.len());
    let mut copied = 0;
    for part in parts {
        out.append_slice(&bytes[copied..part.start]);
        out.append_slice(replacement);
        copied = part.end;
    }
    out.append_slice(&bytes[copied..]);
    Some(out)
}

/// The byte ranges that `String#scrub` replaces, one replacement each: a truncated character is one range, each other
/// byte is one.
pub fn broken_parts(encoding: EncodingId, bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if encoding.is_dummy() {
            return None;
        }
        while at < bytes.len() {
            match char_len(encoding, &bytes[at..]) {
                CharLen::Valid(len) => at += len,
                CharLen::NeedMore(_) => {
                    let part = at..bytes.len();
                    at = bytes.len();
                    return Some(part);
                }
                CharLen::Invalid(_) => {
                    let part = at..at + broken_len(encoding, &bytes[at..]);
                    at = part.end;
                    return Some(part);
                }
            }
        }
        None
    })
}

/// The longest prefix that could have been the start of a character.
fn broken_len(encoding: EncodingId, bytes: &[u8]) -> usize {
    let unit = encoding.min_char_len();
    let longest = encoding.max_char_len().min(bytes.len());
    if longest <= 2 * unit {
        return unit.min(bytes.len());
    }
    let mut len = longest - unit;
    while len > unit {
        if let CharLen::NeedMore(_) = char_len(encoding, &bytes[..len]) {
            break;
        }
        len -= unit;
    }
    len
}
