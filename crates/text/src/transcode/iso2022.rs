//! ISO-2022-JP and Microsoft's variants: escape sequences select the character set.

use super::codec::{Unit, unit_shape};
use super::japanese::{JISX0208_1978, JISX0208_1983};
use crate::encoding::EncodingId;
use memory::Grow;

/// The selected character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    Jis1978,
    Jis1983,
    Katakana,
}

/// The kinds of conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// ISO-2022-JP to stateless ISO-2022-JP.
    DecodeIso,
    /// Stateless ISO-2022-JP to ISO-2022-JP.
    EncodeIso,
    /// CP50220 or CP50221 to CP51932.
    DecodeMicrosoft,
    /// CP51932 to CP50221.
    EncodeMicrosoft,
    /// CP51932 to CP50220, which lacks half-width katakana and uses full-width ones instead.
    EncodeFullWidth,
}

/// A conversion and its state.
#[derive(Clone, Debug)]
pub(super) struct Iso2022 {
    kind: Kind,
    set: Set,
    /// A half-width katakana that a sound mark may follow.
    katakana: Option<u8>,
}

impl Iso2022 {
    pub(super) fn new(kind: Kind) -> Iso2022 {
        Iso2022 { kind, set: Set::Ascii, katakana: None }
    }

    pub(super) fn unit(&mut self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        match self.kind {
            Kind::DecodeIso | Kind::DecodeMicrosoft => self.decode(input, out),
            Kind::EncodeIso => self.encode_iso(input, out),
            Kind::EncodeMicrosoft | Kind::EncodeFullWidth => self.encode_microsoft(input, out),
        }
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if matches!(self.kind, Kind::EncodeIso | Kind::EncodeMicrosoft | Kind::EncodeFullWidth) {
            self.flush_katakana(&[], out);
            self.switch(Set::Ascii, out);
        }
    }

    fn decode(&mut self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        let microsoft = self.kind == Kind::DecodeMicrosoft;
        match input {
            [0x1B] => Unit::NeedMore,
            [0x1B, b'(' | b'$'] => Unit::NeedMore,
            [0x1B, b'(', b'B' | b'J', ..] => self.choose(Set::Ascii, 3),
            [0x1B, b'(', b'I', ..] if microsoft => self.choose(Set::Katakana, 3),
            [0x1B, b'$', b'@', ..] => self.choose(Set::Jis1978, 3),
            [0x1B, b'$', b'B', ..] => self.choose(Set::Jis1983, 3),
            [0x1B, b'(' | b'$', ..] => Unit::Invalid(2, 1),
            [0x1B, ..] => Unit::Invalid(1, 1),
            [0x0E, ..] if microsoft => self.choose(Set::Katakana, 1),
            [0x0F, ..] if microsoft => self.choose(Set::Ascii, 1),
            [0x0E | 0x0F, ..] => Unit::Invalid(1, 0),
            _ if microsoft => self.decode_microsoft(input, out),
            [0x80..=0xFF, ..] => Unit::Invalid(1, 0),
            _ => self.decode_iso(input, out),
        }
    }

    fn choose(&mut self, set: Set, len: usize) -> Unit {
        self.set = set;
        Unit::Done(len)
    }

    fn decode_iso(&mut self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        let lead = if self.set == Set::Jis1978 { JISX0208_1978 } else { JISX0208_1983 };
        match (self.set, input) {
            (Set::Ascii, [byte, ..]) => {
                out.append_one(*byte);
                Unit::Done(1)
            }
            (_, [row @ 0x21..=0x7E, rest @ ..]) => second(rest, |cell| {
                out.append_from([lead, row | 0x80, cell | 0x80]);
            }),
            _ => Unit::Invalid(1, 0),
        }
    }

    fn decode_microsoft(&mut self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        let first = input[0];
        let row = match self.set {
            _ if !matches!(first, 0..=0x92 | 0xA1..=0xDF) => return Unit::Invalid(1, 0),
            Set::Ascii if first >= 0xA1 => {
                out.append_from([0x8E, first]);
                return Unit::Done(1);
            }
            Set::Ascii => {
                out.append_one(first);
                return Unit::Done(1);
            }
            Set::Katakana if matches!(first & 0x7F, 0x21..=0x5F) => {
                out.append_from([0x8E, first | 0x80]);
                return Unit::Done(1);
            }
            Set::Katakana => return Unit::Invalid(1, 0),
            Set::Jis1978 => matches!(first, 0x21..=0x28 | 0x30..=0x74),
            Set::Jis1983 => matches!(first, 0x21..=0x28 | 0x2D | 0x30..=0x74 | 0x79..=0x7C),
        };
        if !row {
            return Unit::Invalid(1, 0);
        }
        second(&input[1..], |cell| out.append_from([first | 0x80, cell | 0x80]))
    }

    fn encode_iso(&mut self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        let len = match unit_shape(EncodingId::STATELESS_ISO_2022_JP, input) {
            Ok(len) => len,
            Err(unit) => return unit,
        };
        match input[..len] {
            [JISX0208_1978, row, cell] => {
                self.switch(Set::Jis1978, out);
                out.append_from([row & 0x7F, cell & 0x7F]);
            }
            [_, row, cell] => {
                self.switch(Set::Jis1983, out);
                out.append_from([row & 0x7F, cell & 0x7F]);
            }
            _ => {
                self.switch(Set::Ascii, out);
                out.append_one(input[0]);
            }
        }
        Unit::Done(len)
    }

    fn encode_microsoft(&mut self, input: &[u8], out: &mut Vec<u8>) -> Unit {
        let len = match unit_shape(EncodingId::CP51932, input) {
            Ok(len) => len,
            Err(unit) => return unit,
        };
        let char = &input[..len];
        if matches!(char, [0x0E | 0x0F | 0x1B]) {
            return Unit::Undefined(1);
        }
        if self.flush_katakana(char, out) {
            return Unit::Done(len);
        }
        match *char {
            [0x8E, kana @ 0xA1..=0xDF] if self.kind == Kind::EncodeFullWidth => {
                if matches!(kana, 0xB6..=0xC4 | 0xCA..=0xCE) {
                    self.katakana = Some(kana);
                } else {
                    self.switch(Set::Jis1983, out);
                    out.append_from(full_width(kana));
                }
            }
            [0x8E, kana] => {
                self.switch(Set::Katakana, out);
                out.append_one(kana & 0x7F);
            }
            [row, cell] => {
                self.switch(Set::Jis1983, out);
                out.append_from([row & 0x7F, cell & 0x7F]);
            }
            _ => {
                self.switch(Set::Ascii, out);
                out.append_one(char[0]);
            }
        }
        Unit::Done(len)
    }

    /// Writes the pending katakana; true if the next character is its sound mark and was consumed.
    fn flush_katakana(&mut self, next: &[u8], out: &mut Vec<u8>) -> bool {
        let Some(kana) = self.katakana.take() else { return false };
        self.switch(Set::Jis1983, out);
        let [row, cell] = full_width(kana);
        let mark = match next {
            [0x8E, 0xDE] => 1,
            [0x8E, 0xDF] if matches!(kana, 0xCA..=0xCE) => 2,
            _ => 0,
        };
        out.append_from([row, cell + mark]);
        mark > 0
    }

    fn switch(&mut self, set: Set, out: &mut Vec<u8>) {
        if self.set != set {
            self.set = set;
            out.append_slice(match set {
                Set::Ascii => b"\x1B(B",
                Set::Katakana => b"\x1B(I",
                Set::Jis1978 => b"\x1B$@",
                Set::Jis1983 => b"\x1B$B",
            });
        }
    }
}

/// The second byte of a character.
fn second(rest: &[u8], write: impl FnOnce(u8)) -> Unit {
    match rest {
        [] => Unit::NeedMore,
        [cell @ 0x21..=0x7E, ..] => {
            write(*cell);
            Unit::Done(2)
        }
        _ => Unit::Invalid(1, 1),
    }
}

/// The position in JIS X 0208 of the full-width form of a half-width katakana (0xA1 to 0xDF).
fn full_width(kana: u8) -> [u8; 2] {
    const PUNCTUATION: [[u8; 2]; 5] = [[0x21, 0x23], [0x21, 0x56], [0x21, 0x57], [0x21, 0x22], [0x21, 0x26]];
    /// Cells of row 0x25, from 0xA6 on; 0 for the long vowel mark of row 0x21.
    const CELLS: [u8; 56] = [
        0x72, 0x21, 0x23, 0x25, 0x27, 0x29, 0x63, 0x65, 0x67, 0x43, 0, 0x22, 0x24, 0x26, 0x28, 0x2A, 0x2B, 0x2D, 0x2F,
        0x31, 0x33, 0x35, 0x37, 0x39, 0x3B, 0x3D, 0x3F, 0x41, 0x44, 0x46, 0x48, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F,
        0x52, 0x55, 0x58, 0x5B, 0x5E, 0x5F, 0x60, 0x61, 0x62, 0x64, 0x66, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6F,
        0x73,
    ];
    match kana {
        0xA1..=0xA5 => PUNCTUATION[usize::from(kana - 0xA1)],
        0xB0 => [0x21, 0x3C],
        0xA6..=0xDD => [0x25, CELLS[usize::from(kana - 0xA6)]],
        0xDE => [0x21, 0x2B],
        _ => [0x21, 0x2C],
    }
}
