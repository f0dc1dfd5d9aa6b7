//! UTF-16 and UTF-32, with and without byte order marks.

use super::charset;
use super::codec::Unit;
use crate::encoding::EncodingId;

/// Which byte of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Big,
    Little,
}

/// The length of the character that starts `input`.
pub(super) fn utf16(order: ByteOrder, input: &[u8], ends: bool) -> Result<usize, Unit> {
    let high = if order == ByteOrder::Big { 0 } else { 1 };
    match input.get(high) {
        None => Err(Unit::NeedMore),
        Some(0xDC..=0xDF) => invalid_unit(2, input, ends),
        Some(0xD8..=0xDB) => match input.get(2 + high) {
            None => Err(Unit::NeedMore),
            Some(0xDC..=0xDF) if input.len() >= 4 => Ok(4),
            Some(0xDC..=0xDF) => Err(Unit::NeedMore),
            Some(_) => Err(Unit::Invalid(2, high + 1)),
        },
        Some(_) if input.len() >= 2 => Ok(2),
        Some(_) => Err(Unit::NeedMore),
    }
}

/// The length of the character that starts `input`.
pub(super) fn utf32(order: ByteOrder, input: &[u8], ends: bool) -> Result<usize, Unit> {
    for read in 1..=input.len().min(4) {
        // The bytes read so far, the most significant first.
        let byte = |place: usize| match order {
            ByteOrder::Big => input[..read].get(place),
            ByteOrder::Little => input[..read].get(3 - place),
        };
        let surrogate = matches!(byte(2), Some(0xD8..=0xDF)) && byte(1) == Some(&0);
        let large = byte(0).is_some_and(|&b| b != 0) || byte(1).is_some_and(|&b| b > 0x10);
        if surrogate || large {
            return invalid_unit(4, input, ends);
        }
    }
    if input.len() >= 4 { Ok(4) } else { Err(Unit::NeedMore) }
}

/// An invalid unit is reported as a whole; at the end of the input, the remaining bytes are reported.
fn invalid_unit(size: usize, input: &[u8], ends: bool) -> Result<usize, Unit> {
    if input.len() < size && !ends {
        return Err(Unit::NeedMore);
    }
    Err(Unit::Invalid(size.min(input.len()), 0))
}

/// Reads the byte order mark first, which is required.
pub(super) fn decode_marked(
    size: usize,
    order: &mut Option<ByteOrder>,
    input: &[u8],
    ends: bool,
    out: &mut Vec<u8>,
) -> Unit {
    let Some(known) = *order else {
        let marks: [(&[u8], ByteOrder); 2] = match size {
            2 => [(b"\xFE\xFF", ByteOrder::Big), (b"\xFF\xFE", ByteOrder::Little)],
            _ => [(b"\x00\x00\xFE\xFF", ByteOrder::Big), (b"\xFF\xFE\x00\x00", ByteOrder::Little)],
        };
        for (mark, found) in marks {
            if input.starts_with(mark) {
                *order = Some(found);
                return Unit::Done(size);
            }
        }
        return if input.len() < size { Unit::NeedMore } else { Unit::Invalid(size, 0) };
    };
    let (encoding, len) = match (size, known) {
        (2, ByteOrder::Big) => (EncodingId::UTF_16BE, utf16(known, input, ends)),
        (2, ByteOrder::Little) => (EncodingId::UTF_16LE, utf16(known, input, ends)),
        (_, ByteOrder::Big) => (EncodingId::UTF_32BE, utf32(known, input, ends)),
        (_, ByteOrder::Little) => (EncodingId::UTF_32LE, utf32(known, input, ends)),
    };
    match len {
        Err(unit) => unit,
        Ok(len) if charset::decode(encoding, &input[..len], out) => Unit::Done(len),
        Ok(len) => Unit::Undefined(len),
    }
}
