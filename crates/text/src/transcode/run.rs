//! Converting runs of mapped characters between UTF-8 and the encodings with tables, without the classification that
//! errors and incomplete characters need. What a run does not take is left to [`super::codec::Codec::unit`].

use super::{double_byte, single_byte};
use crate::encoding::EncodingId;
use memory::Grow;

/// The bytes that are looked at together. A run starts small, so that text with many errors is not looked at again and
/// again.
const SMALLEST: usize = 64;
const LARGEST: usize = 4096;

/// Appends the UTF-8 form of the mapped characters at the start of `input`; returns the length of these.
pub(super) fn decode(encoding: EncodingId, input: &[u8], out: &mut Vec<u8>) -> usize {
    if !encoding.is_ascii_compatible() {
        return 0;
    }
    if let Some(chars) = single_byte::chars(encoding) {
        return pieces(input, out, 3, |piece, room| {
            let (mut at, mut to) = (0, 0);
            while let Some(&byte) = piece.get(at) {
                match chars[usize::from(byte)] {
                    _ if byte < 0x80 => put(room, &mut to, byte.into()),
                    single_byte::NONE => break,
                    char => put(room, &mut to, char),
                }
                at += 1;
            }
            (at, to)
        });
    }
    let Some(table) = double_byte::table(encoding) else { return 0 };
    pieces(input, out, 3, |piece, room| {
        let (mut at, mut to) = (0, 0);
        while let Some(&byte) = piece.get(at) {
            let (mut char, mut len) = (table.short(byte.into()), 1);
            if byte < 0x80 {
                char = byte.into();
            } else if char == 0
                && let Some(&second) = piece.get(at + 1)
            {
                // A code of two bytes is in the table only if its first byte is no character.
                (char, len) = (table.short(u16::from_be_bytes([byte, second])), 2);
            }
            let Some(char) = char::from_u32(char).filter(|char| *char != '\0' || byte == 0) else { break };
            put(room, &mut to, char);
            at += len;
        }
        (at, to)
    })
}

/// Appends the codes of the mapped characters at the start of `input`, which is UTF-8; returns the length of these.
pub(super) fn encode(encoding: EncodingId, input: &[u8], out: &mut Vec<u8>) -> usize {
    let codes = match single_byte::codes(encoding) {
        _ if !encoding.is_ascii_compatible() => return 0,
        Some(codes) => codes,
        None => match double_byte::table(encoding) {
            Some(table) => table.codes(),
            None => return 0,
        },
    };
    pieces(input, out, 2, |piece, room| {
        let text = piece.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let mut to = 0;
        for (at, char) in text.char_indices() {
            if char.is_ascii() {
                room[to] = char as u8;
                to += 1;
                continue;
            }
            let Some(code) = codes.get(char) else { return (at, to) };
            let bytes = code.to_be_bytes();
            // Faster than `double_byte::code_bytes`, which counts leading zeros: 24 instructions fewer for a character.
            let skipped = match code {
                0..=0xFF => 3,
                0x100..=0xFFFF => 2,
                0x1_0000..=0xFF_FFFF => 1,
                _ => 0,
            };
            for &byte in &bytes[skipped..] {
                room[to] = byte;
                to += 1;
            }
        }
        (text.len(), to)
    })
}

/// Converts piece by piece until one is not taken in full. `convert` returns the taken bytes and the written ones, of
/// which there are at most `growth` for each byte.
fn pieces(
    input: &[u8],
    out: &mut Vec<u8>,
    growth: usize,
    convert: impl Fn(&[u8], &mut [u8]) -> (usize, usize),
) -> usize {
    let (mut done, mut size) = (0, SMALLEST);
    while done < input.len() {
        let piece = &input[done..input.len().min(done + size)];
        let start = out.len();
        out.set_length(start + growth * piece.len() + 4, 0);
        let (taken, written) = convert(piece, &mut out[start..]);
        out.truncate(start + written);
        done += taken;
        // The end of a piece may divide a character.
        if taken == 0 || taken + 4 <= piece.len() {
            break;
        }
        size = LARGEST.min(size * 2);
    }
    done
}

/// Writes a character's UTF-8 form.
#[inline]
fn put(room: &mut [u8], to: &mut usize, char: char) {
    *to += char.encode_utf8(&mut room[*to..]).len();
}

#[cfg(test)]
mod tests {
    use super::super::{Fallback, Limits, Options, Outcome, charset, convert, converter::Converter};
    use super::*;
    use crate::encoding::find;

    /// The converter with room for one byte at a time takes no runs.
    fn by_units(from: &str, to: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut converter = Converter::open(from.as_bytes(), to.as_bytes(), &Options::default()).ok()?;
        let (mut rest, mut out) = (bytes, Vec::new());
        loop {
            match converter.convert(&mut rest, &mut out, Limits { bytes: Some(1), ..Limits::default() }) {
                Outcome::Finished => return Some(out),
                Outcome::Error(_) => return None,
                _ => {}
            }
        }
    }

    #[test]
    fn runs_convert_as_units_do() {
        let names = "Windows-1252 Windows-1255 ISO-8859-7 TIS-620 Shift_JIS Windows-31J EUC-JP EUC-JIS-2004 GBK \
                     GB18030 Big5 Big5-HKSCS EUC-KR CP949 stateless-ISO-2022-JP-KDDI";
        for name in names.split(' ') {
            assert!(find(name.as_bytes()).is_some(), "{name}");
            // Some characters of all kinds, more than a piece of them.
            let encoding = find(name.as_bytes()).unwrap_or(EncodingId::UTF_8);
            let chars = (0..0x600u32).chain((0x600..0x3_0000).step_by(53)).filter_map(char::from_u32);
            let mapped: String = chars.filter(|char| charset::encode(encoding, *char, &mut Vec::new())).collect();
            let none = None::<Fallback<'_, ()>>;
            let coded = convert(Some((EncodingId::UTF_8, encoding)), mapped.as_bytes(), &Options::default(), none).ok();
            assert_eq!(coded, by_units("UTF-8", name, mapped.as_bytes()), "{name}");
            let none = None::<Fallback<'_, ()>>;
            let coded = coded.unwrap_or_default();
            let back = convert(Some((encoding, EncodingId::UTF_8)), &coded, &Options::default(), none).ok();
            assert_eq!(back, by_units(name, "UTF-8", &coded), "{name}");
        }
    }

    #[test]
    fn a_run_ends_before_what_is_not_mapped() {
        let mut out = Vec::new();
        assert_eq!(encode(EncodingId::SHIFT_JIS, "a日\u{1F600}b".as_bytes(), &mut out), 4);
        assert_eq!(out, b"a\x93\xFA");
        assert_eq!(decode(EncodingId::SHIFT_JIS, b"\x93\xFAa\0\x93", &mut out), 4);
        assert_eq!(out, b"a\x93\xFA\xE6\x97\xA5a\0");
        assert_eq!(encode(EncodingId::EUC_JP, b"ab\xE6\x97", &mut out), 2);
        assert_eq!(decode(EncodingId::WINDOWS_1252, b"\x80\x81", &mut out), 1);
    }
}
