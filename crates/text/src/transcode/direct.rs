//! Fast conversion of whole strings between the Unicode encodings and Latin-1.

use crate::encoding::EncodingId;
use memory::Grow;

/// The converted string; `None` for other encodings, or if any character needs the full converter.
pub(super) fn convert(source: EncodingId, destination: EncodingId, bytes: &[u8]) -> Option<Vec<u8>> {
    if destination == EncodingId::UTF_8 {
        return to_utf_8(source, bytes);
    }
    if source != EncodingId::UTF_8 {
        return None;
    }
    match destination {
        EncodingId::UTF_16LE => Some(utf_16(bytes, u16::to_le_bytes, &[])?),
        EncodingId::UTF_16BE => Some(utf_16(bytes, u16::to_be_bytes, &[])?),
        // A text without characters has no mark of the byte order.
        EncodingId::UTF_16 if !bytes.is_empty() => Some(utf_16(bytes, u16::to_be_bytes, &[0xFE, 0xFF])?),
        EncodingId::UTF_32LE => Some(utf_32(bytes, u32::to_le_bytes)?),
        EncodingId::UTF_32BE => Some(utf_32(bytes, u32::to_be_bytes)?),
        EncodingId::ISO_8859_1 => {
            std::str::from_utf8(bytes).ok()?.chars().map(|char| u8::try_from(char).ok()).collect()
        }
        _ => None,
    }
}

/// The text in UTF-16 after a mark of the byte order.
fn utf_16(bytes: &[u8], unit: fn(u16) -> [u8; 2], mark: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut out = memory::with_capacity(mark.len() + 2 * bytes.len());
    out.append_slice(mark);
    if bytes.is_ascii() {
        out.append_from(bytes.iter().flat_map(|&byte| unit(byte.into())));
    } else {
        out.append_from(text.encode_utf16().flat_map(unit));
    }
    Some(out)
}

fn utf_32(bytes: &[u8], unit: fn(u32) -> [u8; 4]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut out = memory::with_capacity(4 * bytes.len());
    out.append_from(text.chars().flat_map(|char| unit(char.into())));
    Some(out)
}

fn to_utf_8(source: EncodingId, bytes: &[u8]) -> Option<Vec<u8>> {
    // No character of these encodings takes more than twice its bytes in UTF-8.
    let mut out = String::from_utf8(memory::with_capacity(2 * bytes.len())).unwrap_or_default();
    match source {
        EncodingId::UTF_16LE => from_utf_16(bytes, u16::from_le_bytes, &mut out)?,
        EncodingId::UTF_16BE => from_utf_16(bytes, u16::from_be_bytes, &mut out)?,
        EncodingId::UTF_32LE => from_utf_32(bytes, u32::from_le_bytes, &mut out)?,
        EncodingId::UTF_32BE => from_utf_32(bytes, u32::from_be_bytes, &mut out)?,
        EncodingId::ISO_8859_1 => out.append_from(bytes.iter().map(|&byte| char::from(byte))),
        _ => return None,
    }
    Some(out.into_bytes())
}

fn from_utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16, out: &mut String) -> Option<()> {
    let (units, []) = bytes.as_chunks::<2>() else { return None };
    for char in char::decode_utf16(units.iter().map(|&bytes| unit(bytes))) {
        out.append_one(char.ok()?);
    }
    Some(())
}

fn from_utf_32(bytes: &[u8], unit: fn([u8; 4]) -> u32, out: &mut String) -> Option<()> {
    let (units, []) = bytes.as_chunks::<4>() else { return None };
    for &bytes in units {
        out.append_one(char::from_u32(unit(bytes))?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::{Fallback, Options, convert as by_steps};
    use super::*;

    #[test]
    fn results_equal_those_of_a_converter() {
        let text = "aé日本\u{1F600}z\0\u{FEFF}";
        let encodings = [
            EncodingId::UTF_16LE,
            EncodingId::UTF_16BE,
            EncodingId::UTF_32LE,
            EncodingId::UTF_32BE,
            EncodingId::ISO_8859_1,
        ];
        for encoding in encodings {
            for text in [text, "", "plain", "é"] {
                let none = None::<Fallback<'_, ()>>;
                let stepped =
                    by_steps(Some((EncodingId::UTF_8, encoding)), text.as_bytes(), &Options::default(), none).ok();
                assert_eq!(convert(EncodingId::UTF_8, encoding, text.as_bytes()), stepped, "{}", encoding.name());
                if let Some(bytes) = stepped {
                    assert_eq!(convert(encoding, EncodingId::UTF_8, &bytes).as_deref(), Some(text.as_bytes()));
                }
            }
        }
    }

    #[test]
    fn broken_strings_are_left_to_a_converter() {
        assert_eq!(convert(EncodingId::UTF_8, EncodingId::UTF_16LE, b"a\xFF"), None);
        assert_eq!(convert(EncodingId::UTF_16LE, EncodingId::UTF_8, b"a\0\0\xD8"), None);
        assert_eq!(convert(EncodingId::UTF_16BE, EncodingId::UTF_8, b"\0ab"), None);
        assert_eq!(convert(EncodingId::UTF_32BE, EncodingId::UTF_8, b"\0\0\xD8\0"), None);
    }
}
