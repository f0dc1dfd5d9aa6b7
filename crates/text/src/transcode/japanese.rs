//! Conversion between the Japanese encodings that have the same characters in another order.

use super::codec::{Unit, unit_shape};
use crate::encoding::EncodingId;
use memory::Grow;

/// The lead byte of JIS X 0208 of 1983 in stateless ISO-2022-JP.
pub(super) const JISX0208_1983: u8 = 0x92;
/// The lead byte of JIS X 0208 of 1978.
pub(super) const JISX0208_1978: u8 = 0x90;

fn char(encoding: EncodingId, input: &[u8]) -> Result<&[u8], Unit> {
    unit_shape(encoding, input).map(|len| &input[..len])
}

pub(super) fn euc_jp_to_shift_jis(input: &[u8], out: &mut Vec<u8>) -> Unit {
    let char = match char(EncodingId::EUC_JP, input) {
        Ok(char) => char,
        Err(unit) => return unit,
    };
    match *char {
        [byte] => out.append_one(byte),
        [0x8E, kana @ 0xA1..=0xDF] => out.append_one(kana),
        [row @ 0xA1..=0xFF, cell] => {
            let odd = row & 1;
            let lead = ((u16::from(row) + u16::from(odd)) >> 1) as u8 + if row < 0xDF { 0x30 } else { 0x70 };
            let trail = cell - odd * 94 - 3;
            out.append_from([lead, if trail >= 0x7F { trail + 1 } else { trail }]);
        }
        _ => return Unit::Undefined(char.len()),
    }
    Unit::Done(char.len())
}

pub(super) fn shift_jis_to_euc_jp(input: &[u8], out: &mut Vec<u8>) -> Unit {
    let char = match char(EncodingId::SHIFT_JIS, input) {
        Ok(char) => char,
        Err(unit) => return unit,
    };
    match *char {
        [byte @ 0..=0x7F] => out.append_one(byte),
        [kana] => out.append_from([0x8E, kana]),
        [lead @ ..=0xEF, trail] => {
            let lead = u16::from(if lead >= 0xE0 { lead - 0x40 } else { lead });
            let mut row = lead * 2 - 0x61;
            let mut cell = u16::from(trail) + if trail < 0x80 { 0x61 } else { 0x60 };
            if cell > 0xFE {
                cell -= 94;
                row += 1;
            }
            out.append_from([row as u8, cell as u8]);
        }
        _ => return Unit::Undefined(char.len()),
    }
    Unit::Done(char.len())
}

pub(super) fn euc_jp_to_stateless(input: &[u8], out: &mut Vec<u8>) -> Unit {
    let char = match char(EncodingId::EUC_JP, input) {
        Ok(char) => char,
        Err(unit) => return unit,
    };
    match *char {
        [0x0E | 0x0F | 0x1B] => return Unit::Undefined(1),
        [byte] => out.append_one(byte),
        [row @ 0xA1..=0xFF, cell] => out.append_from([JISX0208_1983, row, cell]),
        _ => return Unit::Undefined(char.len()),
    }
    Unit::Done(char.len())
}

pub(super) fn stateless_to_euc_jp(input: &[u8], out: &mut Vec<u8>) -> Unit {
    match char(EncodingId::STATELESS_ISO_2022_JP, input) {
        Err(unit) => unit,
        Ok([_, row, cell]) => {
            out.append_from([*row, *cell]);
            Unit::Done(3)
        }
        Ok(char) => {
            out.append_slice(char);
            Unit::Done(char.len())
        }
    }
}
