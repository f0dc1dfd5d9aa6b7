//! UTF8-MAC, the decomposed form of file names on macOS.

use memory::Grow;
use unicode_normalization::char::{compose, decompose_canonical};

use super::codec::{Unit, unit_shape};
use crate::encoding::EncodingId;

/// Whether a character stays composed although Unicode decomposes it, like all characters beyond the Basic Multilingual
/// Plane.
fn stays_composed(char: char) -> bool {
    const SINGLE: [u32; 46] = [
        0x390, 0x3B0, 0x1B06, 0x1B08, 0x1B0A, 0x1B0C, 0x1B0E, 0x1B12, 0x1B3B, 0x1B3D, 0x1B40, 0x1B41, 0x1B43, 0x1F71,
        0x1F73, 0x1F75, 0x1F77, 0x1F79, 0x1F7B, 0x1F7D, 0x1FBB, 0x1FC9, 0x1FCB, 0x1FDB, 0x1FEB, 0x1FEE, 0x1FF9, 0x1FFB,
        0x2000, 0x2001, 0x2126, 0x212A, 0x212B, 0x219A, 0x219B, 0x21AE, 0x21CD, 0x21CE, 0x21CF, 0xFA10, 0xFA12, 0xFA20,
        0xFA22, 0xFA25, 0xFA26, 0x2ADC,
    ];
    let code = u32::from(char);
    code > 0xFFFF
        || SINGLE.contains(&code)
        || matches!(code, 0x2200..=0x22FF | 0x2329..=0x232A)
        || matches!(code, 0xF900..=0xFA0D | 0xFA15..=0xFA1E | 0xFA2A..=0xFA6D | 0xFA70..=0xFAD9)
}

/// UTF-8 to UTF8-MAC.
pub(super) fn decompose(input: &[u8], out: &mut Vec<u8>) -> Unit {
    match char(input) {
        Err(unit) => unit,
        Ok((char, len)) => {
            if stays_composed(char) {
                out.append_slice(&input[..len]);
            } else {
                decompose_canonical(char, |part| push(part, out));
            }
            Unit::Done(len)
        }
    }
}

/// UTF8-MAC to UTF-8: composes pair by pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Composer {
    held: Option<char>,
}

impl Composer {
    pub(super) fn unit(&mut self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        let (char, len) = match char(input) {
            Ok(found) => found,
            Err(unit) => return unit,
        };
        let joined = self.held.filter(|_| (2..=3).contains(&len)).and_then(|held| compose(held, char));
        self.held = match joined.filter(|&joined| !stays_composed(joined)) {
            Some(joined) => Some(joined),
            None => {
                self.finish(out);
                Some(char)
            }
        };
        if len == 4 {
            self.finish(out);
        }
        Unit::Done(len)
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(held) = self.held.take() {
            push(held, out);
        }
    }
}

fn char(input: &[u8]) -> Result<(char, usize), Unit> {
    let len = unit_shape(EncodingId::UTF_8, input)?;
    let text = std::str::from_utf8(&input[..len]).map_err(|_| Unit::Invalid(1, 0))?;
    text.chars().next().map(|char| (char, len)).ok_or(Unit::Undefined(len))
}

fn push(char: char, out: &mut Vec<u8>) {
    out.append_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
}
